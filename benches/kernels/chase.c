// Links followed through 16 MiB in an order without pattern: the latency of memory.
#include <stdint.h>

enum { LINKS = 1 << 21 };

static int64_t links[LINKS];
static int ready;

// One cycle through all of them (Sattolo's shuffle), made once.
static void prepare(void) {
    if (ready)
        return;
    for (int64_t i = 0; i < LINKS; i++)
        links[i] = i;
    uint64_t state = 1;
    for (int64_t i = LINKS - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int64_t other = (int64_t)((state >> 33) % (uint64_t)i), kept = links[i];
        links[i] = links[other];
        links[other] = kept;
    }
    ready = 1;
}

int64_t kernel(int64_t n) {
    prepare();
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++)
        at = links[at];
    return at;
}
