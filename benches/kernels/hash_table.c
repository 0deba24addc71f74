// A hash table with open addressing: keys go in, are looked up, and go out again.
#include <stdint.h>

enum { SLOTS = 4096, KEYS = 2500 };

static uint64_t keys[SLOTS];
static uint32_t counts[SLOTS];

static uint64_t mixed(uint64_t key) {
    key ^= key >> 31;
    key *= 0x7fb5d329728ea185u;
    key ^= key >> 27;
    return key;
}

static uint32_t find(uint64_t key) {
    uint32_t slot = mixed(key) & (SLOTS - 1);
    while (keys[slot] != 0 && keys[slot] != key)
        slot = (slot + 1) & (SLOTS - 1);
    return slot;
}

static int64_t round_of(uint64_t seed) {
    for (int i = 0; i < SLOTS; i++)
        keys[i] = counts[i] = 0;
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t key = (seed + i * i) % 3000 + 1;
        uint32_t slot = find(key);
        keys[slot] = key;
        counts[slot] += (uint32_t)i;
    }
    int64_t sum = 0;
    for (uint64_t key = 1; key <= 4000; key++) {
        uint32_t slot = find(key);
        sum += keys[slot] ? counts[slot] : -1;
    }
    return sum;
}

int64_t kernel(int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += round_of((uint64_t)(sum + i));
    return sum;
}
