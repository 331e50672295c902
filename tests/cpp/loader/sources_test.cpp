// Where a backend is looked for, in which order. Each case is a process of its own beside its own copy of libeagle.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include "Place.h"
#include "Refusal.h"

using loader_test::animal;
using loader_test::expect_words;
using loader_test::Place;

namespace {

// A home of libeagle with what a case puts beside it.
class Sources : public testing::Test {
  protected:
    Sources() { place_.copy(LIBEAGLE_FILE, "home/libeagle.so"); }

    std::string home(const std::string& name) const { return (place_ / "home" / name).string(); }
    std::string put(const std::string& where, const std::string& name, const std::string& kind = "zoo") const {
        return place_.copy(animal(name, kind), where).string();
    }
    void set(const std::string& variable, const std::string& value) { environment_[variable] = value; }
    // What the scenario prints.
    std::string run(const std::vector<std::string>& words) const;

    Place place_;

  private:
    std::map<std::string, std::string> environment_;
};

std::string Sources::run(const std::vector<std::string>& words) const {
    std::vector<std::string> environment{"LD_LIBRARY_PATH=" + home("")};
    for (const auto& [name, value] : environment_) environment.push_back(name + "=" + value);
    std::vector<char*> arguments, variables;
    std::string program = SCENARIO_FILE;
    std::vector<std::string> copies = words;
    arguments.push_back(program.data());
    for (auto& word : copies) arguments.push_back(word.data());
    for (auto& entry : environment) variables.push_back(entry.data());
    arguments.push_back(nullptr);
    variables.push_back(nullptr);

    const std::string output = (place_ / "output").string();
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(output.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        dup2(file, STDOUT_FILENO);
        execve(program.c_str(), arguments.data(), variables.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the scenario ended with " << status;
    return loader_test::bytes_of(output);
}

std::string loaded(const std::string& kind, const std::string& file) {
    return "loaded " + kind + " from " + file + "\n";
}

TEST_F(Sources, BesideLibeagleInItsFolder) {
    const auto file = put("home/libeagle_zoo.so", "healthy");
    put("home/eagle/libeagle_zoo.so", "healthy");
    EXPECT_EQ(run({"load", "zoo"}), loaded("zoo", file));
}

TEST_F(Sources, BesideLibeagleInTheFolderBelow) {
    const auto file = put("home/eagle/libeagle_zoo.so", "healthy");
    EXPECT_EQ(run({"load", "zoo"}), loaded("zoo", file));
}

TEST_F(Sources, TheVariableComesBeforeWhatLiesBeside) {
    put("home/libeagle_zoo.so", "healthy");
    const auto file = put("elsewhere/libeagle_zoo.so", "healthy");
    set("EAGLE_BACKEND_ZOO", file);
    EXPECT_EQ(run({"load", "zoo"}), loaded("zoo", file));
}

TEST_F(Sources, TheArgumentComesBeforeTheVariable) {
    set("EAGLE_BACKEND_ZOO", put("elsewhere/libeagle_zoo.so", "healthy"));
    const auto file = put("named/any name.so", "healthy");
    EXPECT_EQ(run({"open", "zoo", file}), loaded("zoo", file));
}

TEST_F(Sources, AFailureOfTheVariableIsFinal) {
    put("home/libeagle_zoo.so", "healthy");
    const auto bad = put("elsewhere/libeagle_zoo.so", "major_2");
    set("EAGLE_BACKEND_ZOO", bad);
    const auto text = run({"load", "zoo"});
    expect_words(text, {"BackendUnavailable", "$EAGLE_BACKEND_ZOO: " + bad + ": refused", "needs major 1"});
    EXPECT_EQ(text.find("beside libeagle:"), std::string::npos) << text;
}

TEST_F(Sources, AMissingFileOfTheVariableIsFinal) {
    put("home/libeagle_zoo.so", "healthy");
    set("EAGLE_BACKEND_ZOO", home("gone.so"));
    expect_words(run({"load", "zoo"}),
                 {"BackendUnavailable", "$EAGLE_BACKEND_ZOO: " + home("gone.so") + ": not there"});
}

TEST_F(Sources, ARelativeVariableIsRefused) {
    put("home/libeagle_zoo.so", "healthy");
    set("EAGLE_BACKEND_ZOO", "libeagle_zoo.so");
    expect_words(run({"chdir", home(""), "load", "zoo"}),
                 {"BackendUnavailable", "libeagle_zoo.so: refused: is a relative path; needs the absolute path"});
}

TEST_F(Sources, AnEmptyVariableIsNotSet) {
    const auto file = put("home/libeagle_zoo.so", "healthy");
    set("EAGLE_BACKEND_ZOO", "");
    EXPECT_EQ(run({"load", "zoo"}), loaded("zoo", file));
}

TEST_F(Sources, TheRegisteredPathComesAfterBesideAndBeforeTheResolver) {
    const auto registered = put("registered/libeagle_zoo.so", "healthy");
    const auto resolved = put("resolved/libeagle_zoo.so", "healthy");
    EXPECT_EQ(run({"register", "zoo", registered, "resolve", "zoo", resolved, "load", "zoo"}),
              loaded("zoo", registered));
    const auto beside = put("home/libeagle_zoo.so", "healthy");
    EXPECT_EQ(run({"register", "zoo", registered, "resolve", "zoo", resolved, "load", "zoo"}), loaded("zoo", beside));
}

TEST_F(Sources, TheResolverIsAskedOnlyOnAMiss) {
    const auto resolved = put("resolved/libeagle_zoo.so", "healthy");
    EXPECT_EQ(run({"resolve", "zoo", resolved, "load", "zoo"}), "resolver asked for zoo\n" + loaded("zoo", resolved));
    expect_words(run({"resolve", "zoo", resolved, "load", "other"}), {"resolver: knows none of this kind"});
    expect_words(run({"resolve", "zoo", "libeagle_zoo.so", "load", "zoo"}),
                 {"resolver: libeagle_zoo.so: refused: is a relative path"});
}

TEST_F(Sources, AResolverThatFailsIsAnAttempt) {
    const auto text = run({"resolve", "throws", "the index is broken", "load", "throws", "installed"});
    expect_words(text, {"BackendUnavailable", "resolver: failed: the index is broken\n", "installed:\n"});
}

TEST_F(Sources, ABadFileBesideDoesNotHideAGoodRegisteredOne) {
    const auto bad = put("home/libeagle_zoo.so", "no_probe");
    const auto good = put("registered/libeagle_zoo.so", "healthy");
    const auto text = run({"register", "zoo", good, "load", "zoo", "record"});
    expect_words(text, {loaded("zoo", good), "attempt|zoo|" + bad +
                                                 "|beside libeagle|refused: does not export "
                                                 "eagle_backend_probe"});
}

TEST_F(Sources, NothingElseIsSearched) {
    put("work/libeagle_zoo.so", "healthy");
    set("PATH", (place_ / "work").string());
    expect_words(run({"chdir", (place_ / "work").string(), "load", "zoo"}), {"BackendUnavailable"});
}

TEST_F(Sources, AMisspeltKindIsToldWhichAreThere) {
    expect_words(
        run({"load", "zzz"}),
        {"no usable backend of kind 'zzz'; no kind is installed; needs a file libeagle_zzz.so that answers the "
         "seam eagle-backend/1: put it beside libeagle or set $EAGLE_BACKEND_ZZZ to its absolute path. Tried, "
         "in order:\n"});
    expect_words(run({"load", "cdua"}),
                 {"kind 'cdua'; the nearest name is 'cuda', not installed; no kind is installed; needs a file"});
    put("home/libeagle_zoo.so", "healthy");
    place_.write("home/libeagle_cuba.so", "no library");
    expect_words(run({"load", "zooo"}), {"kind 'zooo'; the nearest name is 'zoo'; installed are cuba, zoo; needs a"});
    expect_words(run({"load", "cubda"}),
                 {"kind 'cubda'; the nearest name is 'cuba'; installed are cuba, zoo; needs a"});
    expect_words(run({"load", "zeppelin"}), {"kind 'zeppelin'; installed are cuba, zoo; needs a file"});
    expect_words(run({"load", "cuba"}), {"kind 'cuba'; needs a file libeagle_cuba.so"});
}

TEST_F(Sources, AKnownKindThatIsNotInstalledIsSaidToBe) {
    expect_words(run({"load", "cuda"}),
                 {"kind 'cuda'; it is not part of this installation, and no kind is installed: docs/devices.md and "
                  "docs/add_a_backend.md say how a kind comes in; needs a file libeagle_cuda.so"});
    put("home/libeagle_zoo.so", "healthy");
    expect_words(run({"load", "metal"}),
                 {"it is not part of this installation, and installed are zoo: docs/devices.md"});
}

TEST_F(Sources, TheReportTellsOfATypeThatIsAnotherKinds) {
    put("home/libeagle_zoo.so", "serves_cuda");
    expect_words(run({"report"}), {"DLPack device types: 2 (cuda, to which its arrays go: serve a type that is not "
                                   "another kind's)\n"});
}

TEST_F(Sources, EveryAttemptIsShownInOrder) {
    const auto text = run({"load", "zoo"});
    const std::string lines[] = {"no usable backend of kind 'zoo'; no kind is installed; needs a file libeagle_zoo.so",
                                 "set $EAGLE_BACKEND_ZOO to its absolute path",
                                 "  $EAGLE_BACKEND_ZOO: not set\n",
                                 "  beside libeagle: " + home("libeagle_zoo.so") + ": not there\n",
                                 "  beside libeagle: " + home("eagle/libeagle_zoo.so") + ": not there\n",
                                 "  registered path: none for this kind\n",
                                 "  resolver: none is set\n",
                                 "`python -m eagle doctor` prints everything that was tried"};
    std::size_t from = 0;
    for (const auto& line : lines) {
        const std::size_t at = text.find(line, from);
        ASSERT_NE(at, std::string::npos) << line << "\nin: " << text;
        from = at + line.size();
    }
}

TEST_F(Sources, TheWorkingDirectoryMayChangeAfterLoad) {
    const auto file = put("home/libeagle_zoo.so", "healthy");
    EXPECT_EQ(run({"chdir", "/", "load", "zoo"}), loaded("zoo", file));
    // libeagle itself was found through a relative name.
    const auto here = std::filesystem::current_path();
    std::filesystem::current_path(place_.path());
    set("LD_LIBRARY_PATH", "home");
    const auto text = run({"chdir", "/", "load", "zoo"});
    std::filesystem::current_path(here);
    EXPECT_EQ(text, loaded("zoo", file));
}

TEST_F(Sources, ASecondLoadGivesTheFirstOutcomeAndReloadTriesAgain) {
    const auto good = animal("healthy").string();
    const auto target = home("libeagle_zoo.so");
    const auto text = run({"load", "zoo", "copy", good, target, "load", "zoo", "reload", "zoo", "load", "zoo"});
    EXPECT_EQ(text.rfind("BackendUnavailable"), text.find("BackendUnavailable", 1)) << text;
    EXPECT_TRUE(text.ends_with(loaded("zoo", target) + loaded("zoo", target))) << text;
}

TEST_F(Sources, InstalledKindsAreFoundWithoutOpeningThem) {
    put("home/libeagle_zoo.so", "healthy");
    put("home/eagle/libeagle_second.so", "second", "second");
    place_.write("home/libeagle_broken.so", "no library");
    std::filesystem::create_directory(home("libeagle_folder.so"));
    set("EAGLE_BACKEND_ZOOHOST", animal("host", "zoohost").string());
    set("EAGLE_BACKEND_GONE", home("gone.so"));
    const auto registered = animal("gpu_one", "gpuone").string();
    const auto text = run({"register", "gpuone", registered, "resolve", "metal", registered, "installed", "record"});
    expect_words(text, {"installed: broken gpuone metal second zoo zoohost\n"});
    EXPECT_EQ(text.find("attempt|"), std::string::npos) << text;
}

TEST_F(Sources, GpuIsTheOneKindThatServesADevice) {
    put("home/libeagle_zoo.so", "healthy");
    put("home/libeagle_zoohost.so", "host", "zoohost");
    put("home/libeagle_gpuone.so", "gpu_one", "gpuone");
    EXPECT_EQ(run({"gpu"}), "gpu is gpuone\n");
}

TEST_F(Sources, TwoGpuKindsAreRefusedByNameWithTheirProbes) {
    put("home/libeagle_gpuone.so", "gpu_one", "gpuone");
    put("home/libeagle_gputwo.so", "gpu_two", "gputwo");
    expect_words(run({"gpu"}),
                 {"eagle: backend='gpu' is ambiguous, gpuone, gputwo are installed; name one of them as the backend\n"
                  "gpuone: a device is usable; gputwo: no usable device: every cage is empty\n"});
}

TEST_F(Sources, AGpuFileThatDoesNotLoadIsNoInstalledKind) {
    put("home/libeagle_gpuone.so", "gpu_one", "gpuone");
    place_.write("home/libeagle_gputwo.so", "no library");
    EXPECT_EQ(run({"gpu"}), "gpu is gpuone\n");
}

TEST_F(Sources, NoGpuSaysWhatWasLookedFor) {
    expect_words(run({"gpu"}), {"BackendUnavailable", "backend='gpu' found no GPU kind", "no backend is installed",
                                home("").substr(0, home("").size() - 1)});
    put("home/libeagle_zoo.so", "healthy");
    place_.write("home/libeagle_gputwo.so", "no library");
    expect_words(run({"gpu"}), {"installed are gputwo, zoo, of which none loads and serves",
                                "gputwo: refused: is no shared library"});
}

TEST_F(Sources, TheReportShowsKindsDevicesVersionsAndReasons) {
    put("home/libeagle_zoo.so", "three_devices");
    const auto bad = put("home/libeagle_second.so", "major_2");
    const auto text = run({"report"});
    expect_words(
        text, {"libeagle in " + home("").substr(0, home("").size() - 1),
               "  zoo: " + home("libeagle_zoo.so") + "\n    seam 1.7, built from eagle 9.8.7, device code feathers\n",
               "DLPack device types: 12 (zoo)\n", "groups: none\n", "devices: 3\n    device 0\n", "backend='gpu'",
               "second: no usable backend\n",
               "  beside libeagle: " + bad + ": refused: was built for the seam's major 2, needs major 1",
               "  cuda: no usable backend\n  $EAGLE_BACKEND_CUDA: not set\n"});
}

}  // namespace
