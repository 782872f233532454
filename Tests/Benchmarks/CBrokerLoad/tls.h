#pragma once

#include <stdbool.h>
#include <openssl/ssl.h>

/// A context for mutual TLS 1.3 with the cipher suite of Parley's links; NULL on failure.
///
/// `name` is that of the certificate and key in the directory, which has a `ca.crt` too.
SSL_CTX *tls_context(const char *directory, const char *name, bool is_server);

/// The results of `tls_read` and `tls_write` that are not numbers of bytes.
enum { TLS_LATER = -1, TLS_CLOSED = -2 };

/// Reads or writes what is possible without waiting; both return a number of bytes above 0,
/// `TLS_LATER` or `TLS_CLOSED`.
long tls_read(SSL *ssl, void *bytes, size_t count);
long tls_write(SSL *ssl, const void *bytes, size_t count);
