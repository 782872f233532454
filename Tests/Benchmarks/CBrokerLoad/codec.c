#include "codecs.h"

const struct codec *codec_of(enum server_kind kind) {
    switch (kind) {
    case SERVER_RELAY: return &relay_codec;
    case SERVER_NATS: return &nats_codec;
    case SERVER_REDIS: return &redis_codec;
    case SERVER_MQTT: return &mqtt_codec;
    case SERVER_ETCD: return &etcd_codec;
    }
    return NULL;
}
