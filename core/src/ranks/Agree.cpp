#include "ranks/Agree.h"

#include <eagle/Error.h>
#include <eagle/marshal/Control.h>

#include <cstring>
#include <span>
#include <vector>

#include "ranks/Exchanges.h"
#include "ranks/Meeting.h"
#include "ranks/State.h"

namespace eagle::ranks {
namespace {

using marshal::Control;

void put_words_of(const std::exception_ptr& error, Word& word) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        put(word.text, known.what());
    } catch (...) {
        put(word.text, "something that is no exception of C++");
    }
}

Word::Failure kind_of(const std::exception_ptr& error) {
    if (!error) return Word::none;
    try {
        std::rethrow_exception(error);
    } catch (const AskedToStop&) {
        return Word::asked_to_stop;
    } catch (...) {
        return Word::own;
    }
}

// It needs no memory: that may have run out.
Word word_of(const Doing& doing, const std::exception_ptr& mine) {
    Word word;
    word.failed = kind_of(mine);
    word.samples = doing.samples;
    word.numbers = static_cast<std::int64_t>(doing.numbers.size());
    put(word.call, doing.call);
    put(word.kernel, doing.kernel);
    if (mine) put_words_of(mine, word);
    word.pieces_digest = doing.pieces_digest;
    word.numbers_digest = digest(nullptr, 0);
    for (const Number& number : doing.numbers) {
        word.numbers_digest = digest(number.name.data(), number.name.size(), word.numbers_digest);
        word.numbers_digest = digest(&number.bits, sizeof number.bits, word.numbers_digest);
    }
    return word;
}

// A rank that was asked to stop says so only where nobody says why.
void raise_failures(std::span<const Word> words, const std::exception_ptr& mine) {
    if (kind_of(mine) == Word::own) std::rethrow_exception(mine);
    for (std::size_t r = 0; r < words.size(); ++r)
        if (words[r].failed == Word::own)
            throw Error("rank " + std::to_string(r) + " of " + std::to_string(words.size()) +
                        " failed, and with it this call on every rank: " + words[r].text);
    if (mine) std::rethrow_exception(mine);
    for (std::size_t r = 0; r < words.size(); ++r)
        if (words[r].failed != Word::none) throw Error("rank " + std::to_string(r) + ": " + words[r].text);
}

void check_calls(std::span<const Word> words) {
    for (std::size_t r = 1; r < words.size(); ++r) {
        const std::string other = std::to_string(r);
        if (std::strcmp(words[0].call, words[r].call) != 0)
            throw InvalidArgument("rank 0 does: " + std::string(words[0].call) + ", rank " + other +
                                  " does: " + words[r].call + "; every rank makes the same calls in the same order");
        if (words[0].meeting != words[r].meeting)
            throw InvalidArgument("rank 0 is at step " + std::to_string(words[0].meeting) +
                                  " of its calls of these ranks, rank " + other + " at step " +
                                  std::to_string(words[r].meeting) +
                                  ": a call was left out on one of them; make a new RankPartition on every rank");
        if (std::strcmp(words[0].kernel, words[r].kernel) != 0)
            throw InvalidArgument("rank 0 calls kernel '" + std::string(words[0].kernel) + "', rank " + other +
                                  " calls '" + words[r].kernel +
                                  "'; every rank makes the same calls in the same order");
        if (words[0].samples != words[r].samples)
            throw InvalidArgument("kernel '" + std::string(words[0].kernel) + "' has " +
                                  std::to_string(words[0].samples) + " samples on rank 0 and " +
                                  std::to_string(words[r].samples) + " on rank " + other +
                                  "; every rank is given the whole planes");
        if (words[0].numbers != words[r].numbers)
            throw InvalidArgument("kernel '" + std::string(words[0].kernel) + "' has " +
                                  std::to_string(words[0].numbers) + " scalar arguments on rank 0 and " +
                                  std::to_string(words[r].numbers) + " on rank " + other +
                                  "; every rank loads the same artifact");
        if (words[0].pieces_digest != words[r].pieces_digest)
            throw InvalidArgument("in " + std::string(words[0].call) + " rank 0 and rank " + other +
                                  " have a plane that is laid out in different ways, or lies on different devices; "
                                  "every rank gives planes of the same layout, on the same kind of device");
    }
}

// One scalar argument of all ranks, in a room of fixed size.
struct Said {
    std::uint64_t bits = 0;
    char name[64] = {};
    char text[56] = {};
};
static_assert(sizeof(Said) == 128);

std::vector<Said> exchange_numbers(const RankPartition::State& ranks, const std::vector<Number>& mine) {
    std::vector<Said> all;
    std::vector<std::int64_t> offsets;
    Doing doing{"numbers differ"};
    Exchanges exchanges(ranks, doing);
    exchanges.prepare([&] {
        all.resize(mine.size() * static_cast<std::size_t>(ranks.size));
        for (std::size_t i = 0; i < mine.size(); ++i) {
            Said& said = all[static_cast<std::size_t>(ranks.rank) * mine.size() + i];
            said.bits = mine[i].bits;
            put(said.name, mine[i].name);
            put(said.text, mine[i].text);
        }
        for (int r = 0; r <= ranks.size; ++r)
            offsets.push_back(static_cast<std::int64_t>(mine.size() * sizeof(Said)) * r);
    });
    const Piece piece{all.data(), offsets};
    exchanges.exchange(std::span(&piece, 1));
    exchanges.end();
    return all;
}

// Every rank has as many, and comes here where one has others.
void check_numbers(const RankPartition::State& ranks, std::span<const Word> words, const Doing& doing) {
    bool same = true;
    for (const Word& word : words) same = same && word.numbers_digest == words[0].numbers_digest;
    if (same) return;
    const std::vector<Said> all = exchange_numbers(ranks, doing.numbers);
    const std::size_t each = doing.numbers.size();
    for (std::size_t k = each; k < all.size(); ++k) {
        const Said &zero = all[k % each], &other = all[k];
        if (zero.bits == other.bits && std::strcmp(zero.name, other.name) == 0) continue;
        throw InvalidArgument("kernel '" + doing.kernel + "': '" + zero.name + "' is " + zero.text +
                              " on rank 0, and '" + other.name + "' is " + other.text + " on rank " +
                              std::to_string(k / each) + "; every rank is given the same numbers");
    }
}

}  // namespace

void agree(const RankPartition::State& ranks, std::exception_ptr mine, const Doing& doing, Waits waits) {
    const std::span<const Word> words = meet(ranks, word_of(doing, mine), mine, doing.done, waits);
    raise_failures(words, mine);
    check_calls(words);
    if (!words.empty()) check_numbers(ranks, words, doing);
}

namespace {

void tell(const RankPartition::State& ranks, const Word& word) {
    std::exception_ptr ignored;
    meet(ranks, word, ignored, 0, Waits::leaving);
}

}  // namespace

void tell_failure(const RankPartition::State& ranks, const std::string& text) {
    Word word;
    word.failed = Word::own;
    put(word.text, text);
    tell(ranks, word);
}

void tell_failure(const RankPartition::State& ranks, const std::exception_ptr& failure) {
    tell(ranks, word_of({}, failure));
}

int agree_on_end(const RankPartition::State& ranks, std::exception_ptr mine, const Doing& doing,
                 std::int64_t* control) {
    Word word = word_of(doing, mine);
    if (control != nullptr) {
        word.fault = control[Control::fault];
        word.index = control[Control::index];
        word.sample = control[Control::sample];
    }
    const std::span<const Word> words = meet(ranks, word, mine, doing.done, Waits::leaving);
    raise_failures(words, mine);
    check_calls(words);
    int lowest = -1;
    for (std::size_t r = 0; r < words.size(); ++r)
        if (words[r].fault != 0 && (lowest < 0 || words[r].sample < words[static_cast<std::size_t>(lowest)].sample))
            lowest = static_cast<int>(r);
    if (control == nullptr || lowest < 0) return -1;
    const Word& found = words[static_cast<std::size_t>(lowest)];
    control[Control::fault] = found.fault;
    control[Control::index] = found.index;
    control[Control::sample] = found.sample;
    return lowest;
}

}  // namespace eagle::ranks
