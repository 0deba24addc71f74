// Groups the words of standard input by their letters and prints the groups of at least as
// many words as the first argument says (2 if there is none), the largest first.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 31, MOST = 1 << 20 };

struct word {
    char text[LONGEST + 1];
    char letters[LONGEST + 1];
};

struct group {
    const struct word *first;
    size_t count;
};

static int compare_letters(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int compare_words(const void *a, const void *b) {
    const struct word *x = a, *y = b;
    int letters = strcmp(x->letters, y->letters);
    return letters != 0 ? letters : strcmp(x->text, y->text);
}

static int compare_groups(const void *a, const void *b) {
    const struct group *x = a, *y = b;
    if (x->count != y->count) {
        return x->count < y->count ? 1 : -1;
    }
    return strcmp(x->first->text, y->first->text);
}

static size_t read_words(struct word *words) {
    size_t count = 0;
    while (count < MOST && scanf("%31s", words[count].text) == 1) {
        struct word *word = &words[count++];
        memcpy(word->letters, word->text, sizeof word->text);
        qsort(word->letters, strlen(word->letters), 1, compare_letters);
    }
    return count;
}

int main(int argc, char **argv) {
    size_t least = argc > 1 ? strtoul(argv[1], NULL, 10) : 2;
    struct word *words = calloc(MOST, sizeof *words);
    struct group *groups = calloc(MOST, sizeof *groups);
    if (words == NULL || groups == NULL) {
        fputs("anagrams: there is no memory\n", stderr);
        return EXIT_FAILURE;
    }
    size_t count = read_words(words);
    qsort(words, count, sizeof *words, compare_words);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && strcmp(words[i].letters, words[i - 1].letters) == 0) {
            groups[found - 1].count++;
        } else {
            groups[found++] = (struct group){&words[i], 1};
        }
    }
    qsort(groups, found, sizeof *groups, compare_groups);
    for (size_t g = 0; g < found && groups[g].count >= least; g++) {
        for (size_t i = 0; i < groups[g].count; i++) {
            printf(i == 0 ? "%s" : " %s", groups[g].first[i].text);
        }
        putchar('\n');
    }
    return found == 0;
}
