#pragma once

#include "codec.h"
#include <string.h>

/// The limit of a message of a server, in bytes.
enum { MESSAGE_MAX = 1 << 20 };

extern const struct codec relay_codec;
extern const struct codec nats_codec;
extern const struct codec redis_codec;
extern const struct codec mqtt_codec;
extern const struct codec etcd_codec;

static inline void append_text(struct buffer *out, const char *text) {
    buffer_append(out, text, strlen(text));
}

static inline void append_number(struct buffer *out, size_t number) {
    char digits[20];
    size_t start = sizeof digits;
    do digits[--start] = (char)('0' + number % 10);
    while (number /= 10);
    buffer_append(out, digits + start, sizeof digits - start);
}
