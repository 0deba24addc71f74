// Numbers, names and comments told apart by a table of states: dependent loads, branches.
#include <stdint.h>

enum { SIZE = 4096 };

enum { START, NUMBER, NAME, COMMENT, STATES };

static uint8_t text[SIZE];

static int class_of(uint8_t byte) {
    if (byte >= '0' && byte <= '9')
        return 0;
    if ((byte >= 'a' && byte <= 'z') || byte == '_')
        return 1;
    if (byte == '#')
        return 2;
    return byte == '\n' ? 3 : 4;
}

static const uint8_t next[STATES][5] = {
    {NUMBER, NAME, COMMENT, START, START},
    {NUMBER, NAME, COMMENT, START, START},
    {NAME, NAME, COMMENT, START, START},
    {COMMENT, COMMENT, COMMENT, START, COMMENT},
};

static void prepare(void) {
    static const char letters[] = "0123456789abcdefgh_ij  ,+\n#\n 12ab";
    uint32_t state = 5;
    for (int i = 0; i < SIZE; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = (uint8_t)letters[(state >> 16) % (sizeof letters - 1)];
    }
}

int64_t kernel(int64_t n) {
    prepare();
    int64_t counts[STATES] = {0};
    for (int64_t i = 0; i < n; i++) {
        int state = START;
        for (int64_t at = (counts[NAME] + i) & 63; at < SIZE; at++) {
            int then = next[state][class_of(text[at])];
            if (then != state)
                counts[then]++;
            state = then;
        }
    }
    return counts[NUMBER] + 3 * counts[NAME] + 5 * counts[COMMENT] + 7 * counts[START];
}
