#include "codec.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct buffer *buffer, size_t count) {
    if (buffer->count + count <= buffer->capacity) return;
    buffer->capacity = 2 * (buffer->count + count);
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (!buffer->bytes) abort();
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t count) {
    reserve(buffer, count);
    if (count) memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

void buffer_print(struct buffer *buffer, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (count < 0 || (size_t)count >= sizeof text) abort();
    buffer_append(buffer, text, (size_t)count);
}

void buffer_free(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}
