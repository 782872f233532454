#pragma once

// SHA-256 is computed with the low-level functions, which OpenSSL 3 marks as deprecated: they are
// the only ones that keep their state where the caller says.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

/// Sets OpenSSL up without its exit handler; called before anything else of OpenSSL that allocates.
///
/// The handler would free what loops and other threads still use while the process ends, which is
/// a crash now and then.
static inline void parley_openssl_start(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

// Macros, which Swift cannot call, and one BIO over memory that the loop lends.

/// Memory that one TLS operation reads from and writes to; all streams of a loop share one.
struct parley_window {
    /// Ciphertext that has arrived and was not consumed.
    const unsigned char *input;
    size_t input_count;
    /// Ciphertext to be sent; allocated with malloc, grows as needed.
    unsigned char *output;
    size_t output_count;
    size_t output_capacity;
    /// How many records may begin before the rest of the input waits, and how many have begun.
    size_t records_max;
    size_t records;
    /// The messages after the handshake that have arrived: changes of the peer's key, requests that
    /// this side change its own, and tickets. A change makes the rest wait.
    size_t key_updates;
    size_t key_requests;
    size_t tickets;
};

/// Whether OpenSSL gets no more of the input for now.
static inline int parley_window_is_shut(const struct parley_window *window) {
    return window->records > window->records_max || window->key_updates > 0;
}

static inline int parley_window_read(BIO *bio, char *bytes, size_t count, size_t *done) {
    struct parley_window *window = (struct parley_window *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    *done = window->input_count < count ? window->input_count : count;
    if (*done == 0 || parley_window_is_shut(window)) {
        *done = 0;
        BIO_set_retry_read(bio);
        return 0;
    }
    memcpy(bytes, window->input, *done);
    window->input += *done;
    window->input_count -= *done;
    return 1;
}

static inline int parley_window_write(
    BIO *bio, const char *bytes, size_t count, size_t *done) {
    struct parley_window *window = (struct parley_window *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    *done = 0;
    if (window->output_capacity - window->output_count < count) {
        size_t capacity = 2 * window->output_capacity + count;
        unsigned char *output = (unsigned char *)realloc(window->output, capacity);
        if (output == NULL) return 0;
        window->output = output;
        window->output_capacity = capacity;
    }
    memcpy(window->output + window->output_count, bytes, count);
    window->output_count += count;
    *done = count;
    return 1;
}

static inline long parley_window_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

/// The methods of a BIO whose data is a `parley_window`; the caller frees it after all BIOs.
static inline BIO_METHOD *parley_window_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "window");
    if (method == NULL) return NULL;
    BIO_meth_set_read_ex(method, parley_window_read);
    BIO_meth_set_write_ex(method, parley_window_write);
    BIO_meth_set_ctrl(method, parley_window_control);
    return method;
}

static inline BIO *parley_window_bio(BIO_METHOD *method, struct parley_window *window) {
    BIO *bio = BIO_new(method);
    if (bio == NULL) return NULL;
    BIO_set_data(bio, window);
    BIO_set_init(bio, 1);
    return bio;
}

/// Counts the records and the messages after the handshake that arrive.
static inline void parley_window_watch(
    int is_sent, int version, int type, const void *bytes, size_t count, SSL *stream,
    void *argument) {
    (void)version, (void)stream;
    struct parley_window *window = (struct parley_window *)argument;
    const unsigned char *message = (const unsigned char *)bytes;
    if (is_sent) return;
    if (type == SSL3_RT_HEADER) window->records += 1;
    if (type != SSL3_RT_HANDSHAKE || count == 0) return;
    if (message[0] == SSL3_MT_NEWSESSION_TICKET) window->tickets += 1;
    if (message[0] != SSL3_MT_KEY_UPDATE) return;
    window->key_updates += 1;
    // The byte after the type and the length.
    if (count > 4 && message[4] != SSL_KEY_UPDATE_NOT_REQUESTED) window->key_requests += 1;
}

static inline void parley_ctx_watch(SSL_CTX *context, struct parley_window *window) {
    SSL_CTX_set_msg_callback(context, parley_window_watch);
    SSL_CTX_set_msg_callback_arg(context, window);
}

static inline int parley_ctx_only_tls13(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)
        && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
}

static inline int parley_ctx_set_groups(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

static inline int parley_ctx_set_signatures(SSL_CTX *context, const char *algorithms) {
    return (int)SSL_CTX_set1_sigalgs_list(context, algorithms);
}

static inline void parley_ctx_set_session_cache_off(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void parley_ctx_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

/// Neither tickets nor renegotiation; the rest of the options stay as OpenSSL has them.
static inline void parley_ctx_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
}

/// The names of the protocols as ALPN writes them, each with its length in front.
static const unsigned char parley_protocols[] = "\x06parley\x0bparley-file";

static inline int parley_choose_protocol(
    SSL *stream, const unsigned char **chosen, unsigned char *chosen_count,
    const unsigned char *offered, unsigned int offered_count, void *argument) {
    (void)stream, (void)argument;
    int result = SSL_select_next_proto(
        (unsigned char **)chosen, chosen_count, parley_protocols, sizeof(parley_protocols) - 1,
        offered, offered_count);
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// Refuses a TLS 1.3 client that offers no protocol at all, which the callback above never sees.
static inline int parley_check_hello(SSL *stream, int *alert, void *argument) {
    (void)argument;
    const unsigned char *extension;
    size_t count;
    if (!SSL_client_hello_get0_ext(
            stream, TLSEXT_TYPE_supported_versions, &extension, &count)) {
        return SSL_CLIENT_HELLO_SUCCESS;
    }
    if (SSL_client_hello_get0_ext(
            stream, TLSEXT_TYPE_application_layer_protocol_negotiation, &extension, &count)) {
        return SSL_CLIENT_HELLO_SUCCESS;
    }
    *alert = SSL_AD_NO_APPLICATION_PROTOCOL;
    return SSL_CLIENT_HELLO_ERROR;
}

/// Accepts exactly one certificate with an Ed25519 key, and looks at nothing else in it: that the
/// peer has the key is what TLS itself proves.
static inline int parley_check_certificate(X509_STORE_CTX *store, void *argument) {
    (void)argument;
    X509 *certificate = X509_STORE_CTX_get0_cert(store);
    EVP_PKEY *key = certificate == NULL ? NULL : X509_get0_pubkey(certificate);
    if (key == NULL || EVP_PKEY_get_id(key) != EVP_PKEY_ED25519) {
        X509_STORE_CTX_set_error(store, X509_V_ERR_INVALID_PURPOSE);
        return 0;
    }
    if (sk_X509_num(X509_STORE_CTX_get0_untrusted(store)) > 1) {
        X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_CHAIN_TOO_LONG);
        return 0;
    }
    return 1;
}

/// Installs the three checks above and asks both sides for a certificate.
static inline void parley_ctx_set_checks(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_cert_verify_callback(context, parley_check_certificate, NULL);
    SSL_CTX_set_client_hello_cb(context, parley_check_hello, NULL);
    SSL_CTX_set_alpn_select_cb(context, parley_choose_protocol, NULL);
}

/// Offers one protocol, whose name has at most 31 bytes.
static inline int parley_offer_protocol(SSL *stream, const char *name) {
    unsigned char list[32];
    size_t count = strlen(name);
    if (count >= sizeof(list)) return 0;
    list[0] = (unsigned char)count;
    memcpy(list + 1, name, count);
    // This one call answers 0 for success.
    return SSL_set_alpn_protos(stream, list, (unsigned int)count + 1) == 0;
}
