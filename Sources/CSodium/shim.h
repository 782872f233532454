#pragma once

#include <sodium/core.h>
#include <sodium/crypto_core_ristretto255.h>
#include <sodium/crypto_auth_hmacsha256.h>
#include <sodium/crypto_scalarmult_curve25519.h>
#include <sodium/crypto_scalarmult_ristretto255.h>
#include <sodium/crypto_sign_ed25519.h>
#include <sodium/utils.h>
