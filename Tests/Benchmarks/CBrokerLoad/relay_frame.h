// The frames of the relay: `u32 length of the whole frame · u8 type · u8 length of the topic ·
// topic · payload`.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { RELAY_HEAD = 6 };

enum relay_type {
    RELAY_SUBSCRIBE = 1,
    RELAY_PUBLISH = 2,
    /// A message to write to the journal, which is answered with `RELAY_STORED`.
    RELAY_STORE = 3,
    /// A question and its answer.
    RELAY_PING = 4,
    RELAY_STORED = 5,
};

static inline size_t relay_frame_count(const uint8_t *bytes) {
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

static inline void relay_frame_put(uint8_t *bytes, size_t count) {
    bytes[0] = (uint8_t)(count >> 24);
    bytes[1] = (uint8_t)(count >> 16);
    bytes[2] = (uint8_t)(count >> 8);
    bytes[3] = (uint8_t)count;
}
