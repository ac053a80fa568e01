"""Which tests are slow: those that `make check` leaves to `make test`; and which are long.

Slow ones take more than two seconds with compiled kernels, mostly on lists of real systems.
No example of hypothesis has a deadline: the first one may compile a kernel.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

from campanula.stages.kernels import kernel_cache

# lines on kernels that are being compiled would stand among what tests expect on stderr
os.environ["CAMPANULA_QUIET"] = "1"
# a shell may have started all this with signals ignored (nohup, &), which tests send to programs
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("campanula", deadline=None)
settings.load_profile("campanula")

SLOW = (
    "benchmarks/",
    "docs/test_scale.py",
    "docs/test_reranking_ocr.py::test_a_third_of_the_errors_goes",
    "stages/test_against_inventory.py",
    "stages/outputs/test_list_files.py",
    "stages/tuning/sharded/test_worker_passes.py",
    "stages/tuning/relevant/test_real_lists.py",
    "stages/tuning/test_real_lists.py",
    "stages/growth/test_transform.py::test_the_objective_never_falls",
    "stages/test_extract_blocks.py::test_tables_of_real_pairs",
    "stages/tuning/relevant/test_relevant_sets.py::test_a_sentence_may_have_more_features",
    "docs/test_collections.py::test_the_page_runs",
    "docs/test_losses.py",
    "docs/test_inventories.py::test_the_blocks_run",
    "docs/test_notebook.py",
    "docs/test_outside_models.py",
    "docs/test_pipelines.py::test_a_recipe_runs_and_dev_gains",
    "docs/test_pipelines.py::test_the_pipeline_in_python",
    "docs/test_python.py::test_own_names_work_in_the_commands",
    "docs/test_python.py::test_the_python_runs",
    "docs/test_relevant_set.py",
    "docs/test_expected_bleu.py",
    "docs/test_reranking.py",
    "formats/nbest/test_decimals.py::test_decimals",
    "fuzzing/test_fuzzing.py::test_a_sample",
    "pipelines/demo/test_demo.py",
    "pipelines/demo/test_bible.py::test_jobs_do_not_change_the_text",
    "pipelines/demo/test_bible.py::test_the_whole_text",
    "pipelines/loops/",
    "pipelines/expected_bleu/test_runs.py",
    "pipelines/test_external_decoder.py::test_moses_and_cdec_end_in_the_same_bytes_and_better",
    "pipelines/test_external_scorer.py::test_statistics_of_sacrebleu_give_the_history_of_the_metric",
    "pipelines/relevant_set/test_loop.py",
    "pipelines/relevant_set/test_runs.py",
    "pipelines/test_loop.py",
    "pipelines/test_plot.py",
    "pipelines/test_runs.py",
    "pipelines/test_room.py::test_a_trimmed_run",
    "pipelines/test_tune.py::test_a_killed_run_ends_in_the_same_bytes",
    "reliability/",
    "stages/test_decode_inventory.py::test_workers_make_the_same_of_a_text_in_parts",
    "stages/decoding/test_decoder_setup.py::test_the_lists_are_those_of_the_command",
    "stages/decoding/test_language_model.py::test_equal_to_what_moses_says_of_its_own_lists",
    "stages/decoding/left_out/test_leave_one_out.py::test_the_lists_are_those_of_a_table_made",
    "stages/decoding/left_out/test_relative_frequencies.py::test_a_table_of_moses",
    "campanula/test_functions.py",
    "campanula/test_warm_up.py::test_a_command_after_it_compiles_nothing",
    "stages/comparing/test_significance.py::test_under_the_null",
    "stages/decoding/test_extending_parts.py",
    "stages/decoding/left_out/test_oracle_leave_one_out.py::test_lists_are_those",
    "stages/decoding/test_parts.py",
    "stages/decoding/test_rescorer.py::test_other_weights_of_sparse_features",
    "stages/decoding/sparse/test_options.py::test_unpruned_search_equals_enumeration",
    "stages/engines/test_commands.py",
    "stages/engines/test_dask_cluster.py",
    "stages/engines/test_dask_engine.py",
    "stages/inventories/test_shard_indexing.py::test_a_new_inventory",
    "stages/kernels/test_compiled.py",
    "stages/test_align_words.py",
    "stages/test_decode.py::test_moses_model_gives_moses_scores_and_values",
    "stages/test_estimate_lm.py::test_equals_the_model_that_kenlm_made_of_the_same_text",
    "stages/test_extract_blocks.py::test_equals_mosess_tables_of_the_same_text",
    "stages/test_import_nbest.py::test_a_million_names",
    "stages/test_merge_kbest.py::test_four_runs_of_moses",
    "stages/test_select_sentences.py::test_real_text",
    "test_readme.py::test_shell_blocks_run",
)

LONG = (
    "benchmarks/test_bench_expected_bleu.py",
    "benchmarks/test_bench_scale.py::test_every_solver_is_measured[narrow",
    "campanula/test_warm_up.py::test_a_command_after_it_compiles_nothing",
    "reliability/test_expected_bleu.py",
    "reliability/test_relevant_set.py::test_workers_that_die_make_the_same_bytes",
    "reliability/test_torture.py::test_killed_runs_end_in_the_same_bytes",
    "reliability/test_workers.py::test_workers_in_trouble",
    "stages/engines/test_commands.py::test_the_bytes_of_one_process[3]",
)
"""What `make long` runs, and not `make test`, which ends within a quarter of an hour."""


@pytest.fixture
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models go to a cache folder that only this test has; the kernels stay where they are."""
    monkeypatch.setenv("CAMPANULA_CACHE", kernel_cache.home())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests, and the long ones."""
    for item in items:
        for mark, names in ((pytest.mark.slow, SLOW), (pytest.mark.long, LONG)):
            if item.nodeid.removeprefix("tests/").startswith(names):
                item.add_marker(mark)
