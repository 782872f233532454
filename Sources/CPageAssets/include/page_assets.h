#pragma once

#include <stddef.h>

/// A file of the page, embedded in the executable.
struct page_asset {
    /// The last part of its path, without a folder.
    const char *name;
    /// The media type that the server sends.
    const char *type;
    const unsigned char *bytes;
    size_t count;
};

/// The number of assets.
size_t page_assets_count(void);

/// The asset at an index below the count; its pointers are valid for ever.
struct page_asset page_asset_at(size_t index);
