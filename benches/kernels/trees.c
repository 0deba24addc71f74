// Binary trees from malloc, walked and freed: allocation, and calls to the C library.
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    int64_t value;
};

static struct node *grow(int depth, int64_t value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->left = depth > 0 ? grow(depth - 1, 2 * value) : 0;
    node->right = depth > 0 ? grow(depth - 1, 2 * value + 1) : 0;
    return node;
}

static int64_t sum_and_free(struct node *node) {
    if (!node)
        return 0;
    int64_t sum = node->value ^ (sum_and_free(node->left) + 3 * sum_and_free(node->right));
    free(node);
    return sum;
}

int64_t kernel(int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += sum_and_free(grow(8, (sum + i) & 0xff));
    return sum;
}
