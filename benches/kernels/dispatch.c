// Functions chosen by data, called through a table of pointers.
#include <stdint.h>

typedef uint64_t operation(uint64_t, uint64_t);

static uint64_t add(uint64_t a, uint64_t b) { return a + b; }
static uint64_t subtract(uint64_t a, uint64_t b) { return a - b; }
static uint64_t multiply(uint64_t a, uint64_t b) { return a * (b | 1); }
static uint64_t exclude(uint64_t a, uint64_t b) { return a ^ b; }
static uint64_t rotate(uint64_t a, uint64_t b) { return a << (b & 31) | a >> (64 - (b & 31)) % 64; }
static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t halve(uint64_t a, uint64_t b) { return (a >> 1) + b; }
static uint64_t invert(uint64_t a, uint64_t b) { return ~a - b; }

static operation *const table[8] = {add,    subtract, multiply, exclude,
                                    rotate, larger,   halve,    invert};

int64_t kernel(int64_t n) {
    uint64_t state = 88172645463325252u, sum = 1;
    for (int64_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sum = table[state >> 61](sum, state);
    }
    return (int64_t)sum;
}
