// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Events are those of the OpenMP tools interface (OMPT; OpenMP 5.2, chapter 19), by the names of
// its callbacks.
#include "schema/domain.h"

namespace spyglass::schema {

namespace {

constexpr EventSpec events[] = {
    {"omp_parallel_begin", true, "a parallel region begins"},
    {"omp_parallel_end", true, "a parallel region has ended"},
    {"omp_implicit_task", true, "a thread's part of a parallel region begins or ends"},
    {"omp_thread_begin", true, "a thread of the OpenMP runtime begins"},
    {"omp_thread_end", true, "a thread of the OpenMP runtime ends"},
    {"omp_task_create", true, "an explicit task is created"},
    {"omp_task_schedule", true, "a thread goes from one task to another"},
    {"omp_work", true, "a work-sharing construct begins or ends"},
    {"omp_masked", true, "a masked region begins or ends"},
    {"omp_sync_region", true, "a barrier, taskwait or taskgroup begins or ends"},
    {"omp_sync_region_wait", true, "waiting in such a region begins or ends"},
    {"omp_dependences", false, "the dependences of a task"},
    {"omp_task_dependence", false, "one task must wait for another"},
    {"omp_dispatch", false, "a thread is given a chunk of a work-sharing construct"},
    {"omp_reduction", false, "a reduction begins or ends"},
    {"omp_mutex_acquire", false, "a thread asks for a lock, critical, ordered or atomic"},
    {"omp_mutex_acquired", false, "it has it"},
    {"omp_mutex_released", false, "it gave it back"},
    {"omp_lock_init", false, "a lock is made"},
    {"omp_lock_destroy", false, "a lock is destroyed"},
    {"omp_nest_lock", false, "a nestable lock is taken or given back again"},
    {"omp_flush", false, "a flush"},
    {"omp_target", false, "a target region begins or ends"},
    {"omp_target_data_op", false, "a data operation on a device"},
    {"omp_device_initialize", false, "a device is ready"},
    {"omp_device_finalize", false, "a device is given up"},
    {"omp_device_load", false, "code is loaded onto a device"},
    {"omp_device_unload", false, "code is removed from a device"},
    {"omp_target_emi", false, "a target region begins or ends, with its identifiers"},
    {"omp_target_data_op_emi", false, "a data operation on a device, with its identifiers"},
    {"omp_target_submit_emi", false, "a kernel is handed to a device"},
    {"omp_target_map_emi", false, "the mappings of a target region"},
    {"omp_cancel", false, "a region is cancelled"},
    {"omp_error", false, "an error directive"},
    {"omp_control_tool", false, "the program called omp_control_tool"},
};

constexpr PunitSpec punits[] = {
    {"team", 255, false}, {"thread", 255, false}, {"device", 16, false}};

}  // namespace

const Domain openmp_domain = {DomainId::openmp,         "OpenMP", "OPENMP",
                              RegionNaming::by_address, events,   punits};

}  // namespace spyglass::schema
