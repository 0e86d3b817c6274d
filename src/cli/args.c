// SPDX-License-Identifier: Apache-2.0
// Translates compile commands, driven by nvcc_flags.def and host_flags.def.
#include "cli/args.h"

#include "base/file.h"
#include "cli/paths.h"

#include <errno.h>
#include <string.h>

enum nvcc_form { NVCC_FORM_FLAG, NVCC_FORM_VALUE, NVCC_FORM_JOINED };

enum nvcc_action {
    NVCC_DROP,
    NVCC_PASS,
    NVCC_PASS_IF_TRUE,
    NVCC_JOIN,
    NVCC_WORDS,
    NVCC_HOST,
    NVCC_LANGUAGE,
    NVCC_DEFAULT_STREAM,
    NVCC_OPTION_FILE,
};

static const struct nvcc_flag {
    const char *long_name, *short_name;
    enum nvcc_form form;
    enum nvcc_action action;
    const char *text;
} nvcc_flags[] = {
#define NVCC_FLAG(long_name, short_name, form, action, text)                                                 \
    {long_name, short_name, NVCC_FORM_##form, NVCC_##action, text},
#include "cli/nvcc_flags.def"
#undef NVCC_FLAG
};

enum host_form { HOST_FORM_FLAG, HOST_FORM_PREFIX, HOST_FORM_NEXT, HOST_FORM_EITHER };
enum host_action { HOST_KEEP, HOST_DROP, HOST_LANGUAGE, HOST_CLANG };

static const struct host_flag {
    const char *spelling;
    enum host_form form;
    enum host_action action;
} host_flags[] = {
#define HOST_FLAG(spelling, form, action) {spelling, HOST_FORM_##form, HOST_##action},
#include "cli/host_flags.def"
#undef HOST_FLAG
};

enum { OPTION_FILE_DEPTH = 8 }; // files that name files

struct translator {
    struct gl_arena *arena;
    struct gl_args *args;
    enum gl_compiler compiler;
    const char *directory, *file;
    struct gl_diags *diags;
};

// The words of a command line and how far they are read.
struct reader {
    const struct gl_words *words;
    size_t next;
};

static const char *reader_next(struct reader *reader)
{
    return reader->next < reader->words->list.count ? reader->words->list.items[reader->next++] : NULL;
}

static void words_translate(struct translator *t, const struct gl_words *words, size_t first, unsigned depth);

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

enum gl_compiler gl_compiler_of(const char *program)
{
    const char *name = base_name(program);
    if (strstr(name, "nvcc"))
        return GL_COMPILER_NVCC;
    return strstr(name, "clang") ? GL_COMPILER_CLANG : GL_COMPILER_GCC;
}

static bool is_launcher(const char *program)
{
    static const char *const names[] = {"ccache", "sccache", "distcc", "icecc", "buildcache"};
    for (size_t i = 0; i < GL_COUNT(names); i++) {
        if (strcmp(base_name(program), names[i]) == 0)
            return true;
    }
    return false;
}

static void word_add(struct translator *t, const char *word)
{
    GL_VEC_PUSH(&t->args->words.list, word);
}

static void language_set(struct translator *t, const char *name)
{
    if (strcmp(name, "cu") == 0)
        name = "cuda";
    t->args->language = name;
}

// ---- option files ----------------------------------------------------------------------------------------

static void option_file_translate(struct translator *t, const char *name, unsigned depth)
{
    const char *path = gl_path_join(t->arena, t->directory, name);
    size_t size;
    char *text = depth < OPTION_FILE_DEPTH ? gl_file_read(path, &size) : NULL;
    if (!text) {
        gl_diag_add(
            t->diags, GL_WARNING, t->file, 0, 0,
            "options in it are missing, often include folders; build the project once so that it is made",
            "option file '%s' cannot be read: %s", path,
            depth < OPTION_FILE_DEPTH ? strerror(errno) : "option files nested too deeply");
        return;
    }
    struct gl_words words = {0};
    gl_words_split(t->arena, text, &words);
    free(text);
    words_translate(t, &words, 0, depth + 1);
    GL_VEC_FREE(&words.list);
}

// ---- gcc and clang ---------------------------------------------------------------------------------------

static bool host_flag_fits(const struct host_flag *flag, const char *word)
{
    if (flag->form == HOST_FORM_PREFIX || flag->form == HOST_FORM_EITHER)
        return strncmp(word, flag->spelling, strlen(flag->spelling)) == 0;
    return strcmp(word, flag->spelling) == 0;
}

static const struct host_flag *host_flag_find(const char *word)
{
    const struct host_flag *best = NULL;
    for (size_t i = 0; i < GL_COUNT(host_flags); i++) {
        if (host_flag_fits(&host_flags[i], word) &&
            (!best || strlen(host_flags[i].spelling) > strlen(best->spelling)))
            best = &host_flags[i];
    }
    return best;
}

// `-Xclang -include-pch -Xclang FILE`: made by another clang, so of no use to this one. `reader` stands
// behind the first -Xclang.
static bool precompiled_skip(struct reader *reader)
{
    const struct gl_words *words = reader->words;
    size_t at = reader->next;
    if (at + 3 > words->list.count || strcmp(words->list.items[at], "-include-pch") != 0)
        return false;
    reader->next = at + 3;
    return true;
}

static void host_word_translate(struct translator *t, const char *word, struct reader *reader)
{
    const struct host_flag *flag = host_flag_find(word);
    if (!flag) {
        if (t->compiler == GL_COMPILER_CLANG)
            word_add(t, word);
        return;
    }
    if (strcmp(word, "-Xclang") == 0 && precompiled_skip(reader))
        return;
    const char *joined = word + strlen(flag->spelling);
    bool takes_next = flag->form == HOST_FORM_NEXT || (flag->form == HOST_FORM_EITHER && !*joined);
    const char *value = takes_next ? reader_next(reader) : NULL;
    bool is_kept =
        flag->action == HOST_KEEP || (flag->action == HOST_CLANG && t->compiler == GL_COMPILER_CLANG);
    if (flag->action == HOST_LANGUAGE && (value || *joined))
        language_set(t, value ? value : joined);
    if (!is_kept || (takes_next && !value))
        return;
    word_add(t, word);
    if (value)
        word_add(t, value);
}

// ---- nvcc ------------------------------------------------------------------------------------------------

// One value of nvcc's comma-separated lists: a backslash or quotes keep a comma. Returns what follows it.
static const char *list_value_copy(struct gl_arena *arena, const char *list, const char **out_value)
{
    char *out = gl_arena_alloc(arena, strlen(list) + 1);
    *out_value = out;
    bool is_quoted = false;
    for (; *list && (*list != ',' || is_quoted); list++) {
        if (*list == '"')
            is_quoted = !is_quoted;
        if (*list == '\\' && list[1] == ',')
            list++;
        *out++ = *list;
    }
    return *list ? list + 1 : list;
}

static void nvcc_values_pass(struct translator *t, const struct nvcc_flag *flag, const char *list)
{
    while (*list) {
        const char *value;
        list = list_value_copy(t->arena, list, &value);
        if (flag->action == NVCC_WORDS) {
            word_add(t, flag->text);
            word_add(t, value);
        } else {
            word_add(t, gl_arena_printf(t->arena, "%s%s", flag->text, value));
        }
    }
}

// `-Xcompiler=-fPIC,-Wall`, `-Xcompiler "-O2 -DX"`: words for the host compiler.
static void nvcc_host_translate(struct translator *t, const char *list, unsigned depth)
{
    struct gl_words words = {0};
    while (*list) {
        const char *value;
        list = list_value_copy(t->arena, list, &value);
        gl_words_split(t->arena, value, &words);
    }
    struct translator host = *t;
    host.compiler = GL_COMPILER_GCC;
    words_translate(&host, &words, 0, depth + 1);
    GL_VEC_FREE(&words.list);
}

static void nvcc_flag_apply(struct translator *t, const struct nvcc_flag *flag, const char *value,
                            unsigned depth)
{
    switch (flag->action) {
    case NVCC_DROP:
        break;
    case NVCC_PASS:
        word_add(t, flag->text);
        break;
    case NVCC_PASS_IF_TRUE:
        if (strcmp(value, "true") == 0)
            word_add(t, flag->text);
        break;
    case NVCC_JOIN:
    case NVCC_WORDS:
        nvcc_values_pass(t, flag, value);
        break;
    case NVCC_HOST:
        nvcc_host_translate(t, value, depth);
        break;
    case NVCC_LANGUAGE:
        language_set(t, value);
        break;
    case NVCC_DEFAULT_STREAM:
        if (strcmp(value, "per-thread") == 0)
            word_add(t, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
    case NVCC_OPTION_FILE:
        option_file_translate(t, value, depth);
        break;
    }
}

static const struct nvcc_flag *nvcc_flag_find(const char *name, size_t length)
{
    for (size_t i = 0; i < GL_COUNT(nvcc_flags); i++) {
        const struct nvcc_flag *flag = &nvcc_flags[i];
        if ((strlen(flag->long_name) == length && strncmp(flag->long_name, name, length) == 0) ||
            (strlen(flag->short_name) == length && strncmp(flag->short_name, name, length) == 0))
            return flag;
    }
    return NULL;
}

// -DNAME, -t4: the value stands right behind a one-letter name.
static const struct nvcc_flag *nvcc_joined_find(const char *name)
{
    const struct nvcc_flag *flag = *name ? nvcc_flag_find(name, 1) : NULL;
    return flag && flag->form == NVCC_FORM_JOINED ? flag : NULL;
}

static void nvcc_word_translate(struct translator *t, const char *word, struct reader *reader, unsigned depth)
{
    const char *name = word + 1 + (word[1] == '-');
    size_t length = strcspn(name, "=");
    const struct nvcc_flag *flag = nvcc_flag_find(name, length);
    const char *value = name[length] ? name + length + 1 : NULL;
    if (!flag) {
        flag = word[1] == '-' ? NULL : nvcc_joined_find(name);
        value = name + 1;
    }
    if (!flag) { // nvcc hands it on with -forward-unknown-to-host-compiler, and accepts it in no other way
        host_word_translate(t, word, reader);
        return;
    }
    if (flag->form != NVCC_FORM_FLAG && !value)
        value = reader_next(reader);
    nvcc_flag_apply(t, flag, value ? value : "", depth);
}

// ---- both ------------------------------------------------------------------------------------------------

static void words_translate(struct translator *t, const struct gl_words *words, size_t first, unsigned depth)
{
    struct reader reader = {words, first};
    for (const char *word; (word = reader_next(&reader));) {
        if (word[0] == '@' && word[1])
            option_file_translate(t, word + 1, depth);
        else if (word[0] != '-' || !word[1])
            continue; // the source, an object, standard input
        else if (t->compiler == GL_COMPILER_NVCC)
            nvcc_word_translate(t, word, &reader, depth);
        else
            host_word_translate(t, word, &reader);
    }
}

// The macro says it, whether nvcc's option or the project defined it.
bool gl_args_are_per_thread(const struct gl_words *words)
{
    static const char macro[] = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
    for (size_t i = 0; i < words->list.count; i++) {
        const char *word = words->list.items[i];
        if (strncmp(word, "-D", 2) != 0)
            continue;
        const char *name = word[2] || i + 1 == words->list.count ? word + 2 : words->list.items[i + 1];
        size_t length = sizeof macro - 1;
        if (strncmp(name, macro, length) == 0 && (!name[length] || name[length] == '='))
            return true;
    }
    return false;
}

struct gl_args gl_args_translate(struct gl_arena *arena, const struct gl_words *command,
                                 const char *directory, const char *file, struct gl_diags *diags)
{
    struct gl_args args = {0};
    size_t compiler = 0;
    while (compiler + 1 < command->list.count && is_launcher(command->list.items[compiler]))
        compiler++;
    struct translator t = {
        .arena = arena, .args = &args, .directory = directory, .file = file, .diags = diags};
    if (compiler < command->list.count)
        t.compiler = gl_compiler_of(command->list.items[compiler]);
    words_translate(&t, command, compiler + 1, 0);
    args.per_thread_default_stream = gl_args_are_per_thread(&args.words);
    return args;
}

void gl_args_free(struct gl_args *args)
{
    GL_VEC_FREE(&args->words.list);
}
