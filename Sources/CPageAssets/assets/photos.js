// Photos are sent as large as screens are: upright, and without what the camera has written down.

/// The most points of the longer side, the quality of the JPEG, and the most pixels that are
/// decoded for it.
const [SIDE_MAX, QUALITY, PIXELS_MAX] = [2_048, 0.85, 120_000_000];
/// The side of the sample that tells photos from drawings, and the colors that a photo has there at
/// least.
const [SAMPLE, COLORS_MIN] = [64, 1_024];

/// The photo in a smaller form, with the points of the original; null if it is sent as it is.
export async function smaller(blob) {
    const size = SIZES[blob.type]?.(new DataView(await blob.slice(0, HEAD).arrayBuffer()));
    if (!size || Math.max(...size) <= SIDE_MAX || size[0] * size[1] > PIXELS_MAX) return null;
    let bitmap;
    try {
        // A photo that was turned by its camera has its own width and height from here on.
        bitmap = await createImageBitmap(blob, { imageOrientation: "from-image" });
        if (blob.type === "image/png" && !isPhoto(bitmap)) return null;
        const scale = SIDE_MAX / Math.max(bitmap.width, bitmap.height);
        const sides = [bitmap.width, bitmap.height];
        const area = drawn(bitmap, ...sides.map((side) => Math.max(1, Math.round(side * scale))));
        const made = await new Promise((done) => area.toBlob(done, "image/jpeg", QUALITY));
        if (!made || made.size >= blob.size) return null;
        const name = blob.name.replace(/\.png$/i, ".jpg");
        return { blob: new File([made], name, { type: "image/jpeg" }), original: sides };
    } catch {
        // What the browser cannot show is sent as it is, or refused by the node.
        return null;
    } finally {
        bitmap?.close();
    }
}

function drawn(bitmap, width, height) {
    const area = document.createElement("canvas");
    [area.width, area.height] = [width, height];
    const context = area.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, width, height);
    return area;
}

/// Whether a picture has many colors and nothing that one can look through.
function isPhoto(bitmap) {
    const area = document.createElement("canvas");
    [area.width, area.height] = [SAMPLE, SAMPLE];
    const context = area.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(bitmap, 0, 0, SAMPLE, SAMPLE);
    const pixels = new Uint32Array(context.getImageData(0, 0, SAMPLE, SAMPLE).data.buffer);
    return pixels.every((pixel) => pixel >>> 24 === 255) && new Set(pixels).size >= COLORS_MIN;
}

// The size in the header of a file: a picture with too many pixels is not decoded at all.

/// The bytes in which the size of a JPEG is looked for: an EXIF block has at most 64 KB, and there
/// may be a few.
const HEAD = 512 * 1_024;

const SIZES = {
    "image/png": (view) => (view.byteLength < 24 ? null : [view.getUint32(16), view.getUint32(20)]),
    "image/jpeg": (view) => {
        for (let at = 2; at + 9 < view.byteLength && view.getUint8(at) === 0xff;) {
            const kind = view.getUint8(at + 1);
            // The start of a frame, but for the tables that have numbers among its own.
            const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
            if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
            at += 2 + view.getUint16(at + 2);
        }
        return null;
    },
};
