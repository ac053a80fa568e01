# What is made of tables: the page, results that are kept, a night.
page: | $(SET_UP)
	python -m experiments.page

# Tables that are kept in the repository, and the page that has them: KEEP="rampion-table1 ...".
KEEP ?= $(ALL)
keep:
	cp $(KEEP:%=$(RESULTS)/%.json) results
	$(MAKE) page

# A night: each table for at most LIMIT, from where an earlier night left it; then what each has come to.
NIGHT ?= $(ALL)
LIMIT ?= 3h
night: | $(SET_UP)
	@mkdir -p $(WORK)
	python -m experiments.night $(NIGHT) --limit $(LIMIT) --pairs $(words $(PAIRS)) --work $(WORK)
	for table in $(NIGHT); do \
		timeout --kill-after 60 $(LIMIT) $(MAKE) $$table || echo "$$table: not finished"; \
	done
	for table in $(NIGHT); do echo "== $$table"; $(MAKE) --silent $$table-so-far; done

# Our speed beside peers: MOSES and KENLM are the folders of their programs, PEER_DATA that of the data.
MOSES ?=
KENLM ?=
PEER_DATA ?=
PEER_FLAGS ?=
peers: | $(SET_UP)
	@test -n '$(MOSES)$(KENLM)' || { echo 'peers: MOSES=FOLDER or KENLM=FOLDER says where their programs are' >&2; exit 2; }
	@mkdir -p $(RESULTS)
	$(if $(MOSES),CAMPANULA_MOSES='$(MOSES)') $(if $(KENLM),CAMPANULA_KENLM='$(KENLM)') \
		$(if $(PEER_DATA),CAMPANULA_DATA='$(PEER_DATA)') \
		python -m benchmarks.bench_peers $(PEER_FLAGS) | tee $(RESULTS)/peers.unfinished
	mv $(RESULTS)/peers.unfinished $(RESULTS)/peers.md
