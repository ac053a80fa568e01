# Maximum expected BLEU (Wuebker et al. 2015), of the first language. All of the model is made of the text that is
# trained on: blocks, hierarchical reordering, a 4-gram model, and a 7-gram model over classes of words.
# tau, eta and t are chosen on SELECTION, which is no test set then.
ifneq ($(FAST),)
T ?= 4
K ?= 20
AT ?= 4
REPLICATES ?= 1
TAU ?= 1e-4
GROWTH_TAU ?= 1e-4
SGD_ETA ?= 100
ADAGRAD_ETA ?= 0.1
CLASSES ?= 20
EB_CAPTIONS ?= 150
EB_MERT ?= --mert-iterations 2 --mert-k 20
EB_SEARCH ?= --beam 20 --stack 20
endif
T ?= 40
K ?= 100
AT ?= 10,20,30,40
REPLICATES ?= 3
TAU ?= 1e-5 1e-4
GROWTH_TAU ?= 1e-5 1e-4
STEP_TAU ?= 1e-5
SGD_ETA ?= 100 1000
ADAGRAD_ETA ?= 0.03 0.1
CLASSES ?= 100
EB_CAPTIONS ?= $(if $(filter file default undefined,$(origin CAPTIONS)),29000,$(CAPTIONS))
EB_MERT ?=
EB_SEARCH ?= --beam 200 --stack 100
SELECTION ?= $(firstword $(TESTS))
EB_TESTS := $(filter-out $(SELECTION),$(TESTS))
EB_TEXT := $(TEXTS)/expected-bleu-$(SRC)/$(EB_CAPTIONS)
EB := $(EB_TEXT)/T$(T)-k$(K)-at$(subst $(comma),-,$(AT))-R$(REPLICATES)-seed$(SEED)$(MADE_WITH)
EB_MODEL := $(EB_TEXT)/model
EB_TEST := $(EB_TEXT)/test

$(EB_TEXT)/train.$(SRC): $(OWN)/links
	mkdir -p $(EB_TEXT)
	head -n $(EB_CAPTIONS) $(OWN)/links > $(EB_TEXT)/train.align
	head -n $(EB_CAPTIONS) $(OWN)/train.$(TRG) > $(EB_TEXT)/train.$(TRG)
	head -n $(EB_CAPTIONS) $(OWN)/train.$(SRC) > $@

$(EB_MODEL)/phrase-table.gz: $(EB_TEXT)/train.$(SRC)
	mkdir -p $(EB_MODEL)
	extract-blocks $(EB_TEXT)/train.$(SRC) $(EB_TEXT)/train.$(TRG) $(EB_TEXT)/train.align --orientation hierarchical \
		--phrase-table $@ --reordering-table $(EB_MODEL)/reordering-table.gz

$(EB_MODEL)/lm.arpa.gz: $(EB_TEXT)/train.$(SRC)
	mkdir -p $(EB_MODEL)
	estimate-lm $(EB_TEXT)/train.$(TRG) --order 4 -o $@

$(EB_MODEL)/classes.how: HOW = $(CLASSES)
$(EB_MODEL)/classes.how: FORCE
	$(REMEMBERED)

$(EB_MODEL)/classes.arpa.gz: $(EB_TEXT)/train.$(SRC) $(EB_MODEL)/classes.how
	estimate-classes $(EB_TEXT)/train.$(TRG) --classes $(CLASSES) -o $(EB_MODEL)/classes
	estimate-lm $(EB_TEXT)/train.$(TRG) --classes $(EB_MODEL)/classes --order 7 -o $@

$(EB_MODEL)/model.json: $(addprefix $(EB_MODEL)/,phrase-table.gz lm.arpa.gz classes.arpa.gz)
	echo '{"phrase-table": "phrase-table.gz",' \
		'"reordering-table": {"file": "reordering-table.gz", "orientation": "hierarchical"},' \
		'"lm": ["lm.arpa.gz", {"file": "classes.arpa.gz", "classes": "classes"}]}' > $@

$(EB_TEST).$(SRC): $(OWN)/links
	mkdir -p $(EB_TEXT)
	$(foreach ref,$(ENGLISH),cat $(EB_TESTS:%=$(OWN)/%.$(ref)) > $(EB_TEST).$(ref) &&) true
	cat $(EB_TESTS:%=$(OWN)/%.$(SRC)) > $@

# A run's name says how it was trained; what runs have in common is made once, in a folder that they share, which
# one of them has at a time.
HOW_gt := --solver growth --tau $(GROWTH_TAU)
HOW_sgd := --solver sgd --eta $(SGD_ETA) --tau $(STEP_TAU)
HOW_adagrad := --solver adagrad --eta $(ADAGRAD_ETA) --tau $(STEP_TAU)
HOW_rprop := --tau $(TAU)
HOW_rprop-plain := --tau $(TAU) --no-leave-one-out
HOW_rprop-left := --tau $(TAU) --leave-out all
HOW_rprop-all := --tau $(TAU) --features wuebker-b,wuebker-c,wuebker-d
UPDATES := gt sgd adagrad rprop
TABLE2 := $(UPDATES) rprop-plain rprop-left rprop-all
EB_REFS := $(ENGLISH:%=$(EB_TEST).%)
EB_DATA = --source $(OWN)/$(DEV).$(SRC) $(call REF_FLAGS_OF,$(SRC),$(DEV)) --selection $(call SET_OF,$(SRC),$(SELECTION)) \
	--test test $(EB_TEST).$(SRC) $(EB_REFS) --train $(EB_TEXT)/train.$(SRC) $(EB_TEXT)/train.$(TRG) $(EB_TEXT)/train.align
EB_RUN = $(call RUN,$(EB)/$(1),expected-bleu $(EB_DATA) --model $(EB_MODEL) --features wuebker-a $(HOW_$(1)) -k $(K) \
	--solver-iterations $(T) --mert-at $(AT) --replicates $(REPLICATES) --seed $(SEED) $(EB_MERT) $(EB_SEARCH) $(FLAGS),\
	$(EB_MODEL)/model.json $(EB_TEST).$(SRC) | $(2:%=$(EB)/%/weights),--jobs $$(JOBS) --share $(EB)/steps)
before :=
$(foreach run,$(TABLE2),$(eval $(call EB_RUN,$(run),$(before)))$(eval before := $(run)))
$(eval $(call TABLE,expected-bleu-table2,$(TABLE2:%=$(EB)/%),$(EB_REFS)))
$(eval $(call TABLE,expected-bleu-figure2,$(UPDATES:%=$(EB)/%)))

# Time and memory of the update strategies, on lists of the first run's baseline.
EFFICIENCY := $(EB)/efficiency
$(EFFICIENCY)/lists: $(EB)/gt/weights
	rm -rf $(@D) && mkdir -p $(@D)
	cp $(EB_MODEL)/phrase-table.gz $(@D)
	cp $(EB)/gt/baseline/replicate-1/weights $(@D)/dense
	decode $(EB_TEXT)/train.$(SRC) --model $(EB_MODEL) --weights $(@D)/dense -k $(K) --features wuebker-a $(EB_SEARCH) \
		--leave-one-out $(EB_TEXT)/train.$(TRG) $(EB_TEXT)/train.align --inventory $(@D)/inventory --jobs $(JOBS) | \
		score-bleu - --ref $(EB_TEXT)/train.$(TRG) --gain he-deng --jobs $(JOBS) -o $(@D)/unfinished
	import-weights $(@D)/dense --inventory $(@D)/inventory -o $(@D)/weights
	mv $(@D)/unfinished $@

$(EFFICIENCY).how: HOW = $(T)
$(EFFICIENCY).how: FORCE
	$(REMEMBERED)
$(EFFICIENCY)/measured.json: $(EFFICIENCY)/lists $(EFFICIENCY).how
	python -m benchmarks.bench_expected_bleu --folder $(@D) --iterations $(T) --json $@
$(eval $(call TABLE_OF,expected-bleu-efficiency,$(EFFICIENCY)/measured.json,$(EFFICIENCY)/measured.json))
