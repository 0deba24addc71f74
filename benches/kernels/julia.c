// Complex numbers as structs, passed and returned by value.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

struct complex {
    double re, im;
};

static struct complex add(struct complex a, struct complex b) {
    return (struct complex){a.re + b.re, a.im + b.im};
}

static struct complex multiply(struct complex a, struct complex b) {
    return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static double square_norm(struct complex a) {
    return a.re * a.re + a.im * a.im;
}

int64_t kernel(int64_t n) {
    struct complex c = {-0.8, 0.156};
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        struct complex z = {(double)(i % 101) / 50 - 1, (double)(i / 101 % 83) / 41 - 1};
        int steps = 0;
        while (steps < 100 && square_norm(z) <= 4) {
            z = add(multiply(z, z), c);
            steps++;
        }
        sum += steps;
    }
    return sum;
}
