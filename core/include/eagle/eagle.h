// The whole of libeagle.
#pragma once
#include <eagle/Array.h>
#include <eagle/Artifact.h>
#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <eagle/Exec.h>
#include <eagle/Kernel.h>
#include <eagle/Memory.h>
#include <eagle/Module.h>
#include <eagle/Plan.h>
#include <eagle/Simulate.h>
#include <eagle/Stream.h>
#include <eagle/config.h>
