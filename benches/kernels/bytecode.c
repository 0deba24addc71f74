// A machine with eight registers, a loop around a switch, running a program that
// counts steps of x -> x * 5 + 3 mod 1021 until it meets a multiple of 19.
#include <stdint.h>

enum { SET, ADD, MULTIPLY, REMAINDER, JUMP_IF, DECREMENT, MOVE, HALT };

struct instruction {
    uint8_t operation, to, from;
    int32_t number;
};

static const struct instruction program[] = {
    {SET, 1, 0, 0},         // r1 = 0, the steps
    {MULTIPLY, 2, 0, 5},    // r2 = r2 * 5
    {ADD, 2, 7, 3},         // r2 = r2 + r7 + 3
    {REMAINDER, 2, 0, 1021},
    {ADD, 1, 7, 1},         // r1 = r1 + r7 + 1
    {MOVE, 3, 2, 0},        // r3 = r2
    {REMAINDER, 3, 0, 19},
    {JUMP_IF, 3, 0, 1},     // if r3 goto 1
    {ADD, 4, 1, 0},         // r4 = r4 + r1
    {DECREMENT, 0, 0, 1},   // r0 = r0 - 1
    {JUMP_IF, 0, 0, 0},
    {HALT, 4, 0, 0},
};

static int64_t execute(const struct instruction *code, int64_t rounds) {
    int64_t registers[8] = {rounds, 0, 7};
    for (int64_t at = 0;; at++) {
        const struct instruction *now = &code[at];
        int64_t *to = &registers[now->to & 7], from = registers[now->from & 7];
        switch (now->operation) {
        case SET: *to = now->number; break;
        case ADD: *to += from + now->number; break;
        case MULTIPLY: *to *= now->number; break;
        case REMAINDER: *to %= now->number; break;
        case JUMP_IF: if (*to != 0) at = now->number - 1; break;
        case DECREMENT: *to -= now->number; break;
        case MOVE: *to = from; break;
        default: return *to;
        }
    }
}

int64_t kernel(int64_t n) {
    return execute(program, n + 1);
}
