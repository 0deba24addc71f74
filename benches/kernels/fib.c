// Recursion with two calls and nothing else: what a call costs.
#include <stdint.h>

static int64_t fib(int64_t n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int64_t kernel(int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fib(16 + ((sum + i) & 3));
    return sum;
}
