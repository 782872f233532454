#include "tls.h"
#include <openssl/err.h>
#include <stdio.h>

/// How much one read takes from the kernel, in bytes.
enum { READ_BYTES = 64 << 10 };

SSL_CTX *tls_context(const char *directory, const char *name, bool is_server) {
    SSL_CTX *context = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
    if (!context) return NULL;
    char ca[512], certificate[512], key[512];
    snprintf(ca, sizeof ca, "%s/ca.crt", directory);
    snprintf(certificate, sizeof certificate, "%s/%s.crt", directory, name);
    snprintf(key, sizeof key, "%s/%s.key", directory, name);
    if (SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) != 1
        || SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") != 1
        || SSL_CTX_use_certificate_file(context, certificate, SSL_FILETYPE_PEM) != 1
        || SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1
        || SSL_CTX_load_verify_locations(context, ca, NULL) != 1) {
        SSL_CTX_free(context);
        return NULL;
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    );
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, READ_BYTES);
    SSL_CTX_set_num_tickets(context, 0);
    return context;
}

static long outcome(SSL *ssl, int result) {
    if (result > 0) return result;
    int error = SSL_get_error(ssl, result);
    ERR_clear_error();
    bool is_later = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    return is_later ? TLS_LATER : TLS_CLOSED;
}

long tls_read(SSL *ssl, void *bytes, size_t count) {
    return outcome(ssl, SSL_read(ssl, bytes, (int)count));
}

long tls_write(SSL *ssl, const void *bytes, size_t count) {
    return outcome(ssl, SSL_write(ssl, bytes, (int)count));
}
