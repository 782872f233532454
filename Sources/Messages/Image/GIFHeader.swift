/// GIF: the size stands at the front.
enum GIFHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        let width = try bytes.littleEndian(6, size: 2)
        let height = try bytes.littleEndian(8, size: 2)
        // The rest of the screen description: without it there is no picture.
        _ = try bytes.bigEndian(10, size: 3)
        return try ImageHeader(.gif, width: width, height: height)
    }
}
