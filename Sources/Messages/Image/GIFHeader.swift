/// Reads the size of a GIF from the screen description at its beginning.
enum GIFHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        let width = try bytes.littleEndian(6, size: 2)
        let height = try bytes.littleEndian(8, size: 2)
        // A file that ends inside the screen description is not a picture.
        _ = try bytes.bigEndian(10, size: 3)
        return try ImageHeader(.gif, width: width, height: height)
    }
}
