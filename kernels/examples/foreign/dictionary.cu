// SPDX-License-Identifier: Apache-2.0
// Dictionary decoding, launched with nvcc's syntax under guards.
#include "../../dictionary.cu"

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<uint8_t> codes, grt::view<uint64_t> words,
                   grt::view<uint64_t> out)
{
    auto reading_codes = grt::acquire_read(stream, codes);
    auto reading_words = grt::acquire_read(stream, words);
    auto writing = grt::acquire_write(stream, out);
    const uint32_t size = static_cast<uint32_t>(words.size());
    gk_dictionary_u8_u64<<<4, gk::threads, words.bytes().size, foreign::native(stream)>>>(
        reading_codes.pointer(), reading_words.pointer(), writing.pointer(), out.size(), size, 1);
    foreign::check_launch();
}

bool foreign_dictionary(const foreign::stage &on)
{
    std::vector<uint64_t> words(200), expected(foreign::count);
    std::vector<uint8_t> codes(foreign::count);
    for (uint64_t i = 0; i < words.size(); i++)
        words[i] = i * 0x9e3779b97f4a7c15u;
    for (unsigned i = 0; i < foreign::count; i++) {
        codes[i] = static_cast<uint8_t>(i * 31 % words.size());
        expected[i] = words[codes[i]];
    }
    auto from = on.upload(codes);
    auto dictionary = on.upload(words);
    auto to = on.room<uint64_t>(foreign::count);
    decode(on.decoding, from.all(), dictionary.all(), to.all());
    return on.equals(to, expected);
}
