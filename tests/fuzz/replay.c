// SPDX-License-Identifier: Apache-2.0
// Feeds every file of the folders named on the command line to a fuzzer: how corpora run without libFuzzer.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Exits on failure: a corpus that cannot be read is a failed test.
static void file_replay(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(size + 1); // malloc(0) may be NULL; an exact size lets ASan see reads past the end
    uint8_t *exact = size ? realloc(data, size) : data;
    if (!exact || fread(exact, 1, size, file) != size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            perror(argv[i]);
            return 1;
        }
        for (struct dirent *entry; (entry = readdir(folder));) {
            if (entry->d_name[0] == '.')
                continue;
            file_replay(argv[i], entry->d_name);
            count++;
        }
        closedir(folder);
    }
    printf("%zu inputs replayed\n", count);
    return count ? 0 : 1;
}
