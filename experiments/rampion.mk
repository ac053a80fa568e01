# RAMPION (Gimpel & Smith 2012): MERT, PRO and RAMPION on the Bible in several languages, or on the text of DATA.
PAIRS ?= ar es de fr
SEEDS ?= 3
FEATURES_SEEDS ?= 1
LOSSES ?= cost ramp1 ramp2 ramp3 soft-ramp1 soft-ramp2 soft-ramp3 bayes-risk perceptron-kbest perceptron-gamma \
	hinge-kbest log-kbest pairwise expected-bleu
LIST ?= 500
# FAST=1 is a sample, for a look at all tables within minutes.
ifdef FAST
SAMPLE := -fast
TRAIN_LINES ?= 3000
HELD_OUT_LINES ?= 100
SEEDS := 2
TUNE_FLAGS ?= --iterations 2 -k 50
LIST := 50
endif
TRAIN_LINES ?= -0
HELD_OUT_LINES ?= -0
TUNE_FLAGS ?=
RAMPION := $(WORK)/rampion$(SAMPLE)$(if $(TUNE_FLAGS),-$(shell printf '%s' '$(TUNE_FLAGS)' | cksum | cut -d' ' -f1))
ifneq ($(filter command environment,$(firstword $(origin DATA))),)
PAIRS := $(SRC)
RAMPION := $(RAMPION)-$(shell printf '%s' '$(DATA)' | cksum | cut -d' ' -f1)
RAMPION_TESTS := $(TESTS)
ENGLISH := 1
else
RAMPION_TESTS := old new
ENGLISH := web kjv asv bbe
endif
METHODS := mert pro rampion

# The text: train.SRC, train.en, and SRC and en.* of dev and of every test set.
$(RAMPION)/%/text/done:
	rm -rf $(@D) && mkdir -p $(@D)/whole
ifeq ($(RAMPION_TESTS),old new)
	python -m campanula.pipelines.demo.bible --language $* --testaments --jobs $(JOBS) --output $(@D)/whole
else
	cp $(DATA)/train.$(SRC) $(@D)/whole/train.$(SRC)
	cp $(DATA)/train.$(TRG) $(@D)/whole/train.en
	cp $(DATA)/$(DEV).$(SRC) $(@D)/whole/dev.$(SRC)
	cp $(DATA)/$(DEV).$(TRG) $(@D)/whole/dev.en.1
	$(foreach test,$(TESTS),cp $(DATA)/$(test).$(SRC) $(@D)/whole/$(test).$(SRC) && \
		cp $(DATA)/$(test).$(TRG) $(@D)/whole/$(test).en.1 &&) true
endif
	for file in $(@D)/whole/*; do \
		case $${file##*/} in train.*) lines=$(TRAIN_LINES);; *) lines=$(HELD_OUT_LINES);; esac; \
		head -n $$lines $$file > $(@D)/$${file##*/} || exit; \
	done
	rm -r $(@D)/whole
	touch $@

$(RAMPION)/%/model/lm.arpa.gz: $(RAMPION)/%/text/done
	mkdir -p $(@D)
	align-words $(<D)/train.$* $(<D)/train.en --jobs $(JOBS) -o $(@D)/links
	extract-blocks $(<D)/train.$* $(<D)/train.en $(@D)/links \
		$(foreach set,dev $(RAMPION_TESTS),--filter $(<D)/$(set).$*) \
		--phrase-table $(@D)/phrase-table.gz --reordering-table $(@D)/reordering-table.gz
	estimate-lm $(<D)/train.en --order 5 -o $@

$(RAMPION)/%/model/lexical: $(RAMPION)/%/model/lm.arpa.gz
	extract-features $(@D)/../text/train.$* $(@D)/../text/train.en $(@D)/links -o $@

MODEL_OF = --phrase-table $(RAMPION)/$(1)/model/phrase-table.gz --reordering-table $(RAMPION)/$(1)/model/reordering-table.gz \
	--lm $(RAMPION)/$(1)/model/lm.arpa.gz
REFS_OF = $(ENGLISH:%=--ref $(RAMPION)/$(1)/text/$(2).en.%)
SET_OF = $(RAMPION)/$(1)/text/$(2).$(1) $(ENGLISH:%=$(RAMPION)/$(1)/text/$(2).en.%)
DEV_OF = --source $(RAMPION)/$(1)/text/dev.$(1) $(call REFS_OF,$(1),dev)
TESTS_OF = $(foreach set,$(RAMPION_TESTS),--test $(set) $(call SET_OF,$(1),$(set)))
TUNE_OF = $(call DEV_OF,$(1)) $(call TESTS_OF,$(1)) $(call MODEL_OF,$(1)) --test-at ends --jobs $(JOBS) $(TUNE_FLAGS)
# RAMPION has no chance in it: one run.
REPLICATES_OF = $(if $(filter rampion,$(1)),,--replicates $(2))

# A run: language, method, folder, further flags.
define RUN
$(RAMPION)/$(1)/$(3)/weights: $(RAMPION)/$(1)/model/lm.arpa.gz $(5)
	tune $(2) $$(call TUNE_OF,$(1)) $(4) --work-dir $$(@D)
endef
$(foreach pair,$(PAIRS),$(foreach method,$(METHODS),$(eval $(call RUN,$(pair),$(method),$(method),$(call REPLICATES_OF,$(method),$(SEEDS))))))
TABLE1 := $(foreach pair,$(PAIRS),$(foreach method,$(METHODS),$(RAMPION)/$(pair)/$(method)))

# Two initial models besides Moses's default weights, drawn as footnote 13 says: RAMPION's runs leave them.
FIRST := $(firstword $(PAIRS))
DRAWN = $(RAMPION)/$(FIRST)/rampion-from-$(1)
$(foreach n,1 2,$(eval $(call RUN,$(FIRST),rampion,rampion-from-$(n),--initial random --seed $(n))))
$(foreach n,1 2,$(foreach method,mert pro,$(eval $(call RUN,$(FIRST),$(method),$(method)-from-$(n),--replicates $(SEEDS) --weights $(call DRAWN,$(n))/initial,$(call DRAWN,$(n))/weights))))
FIGURE3 := $(foreach method,$(METHODS),$(RAMPION)/$(FIRST)/$(method) $(foreach n,1 2,$(RAMPION)/$(FIRST)/$(method)-from-$(n)))

# Lexical and trigger features beside the dense ones (section 4.3).
LEXICAL_OF = $(call REPLICATES_OF,$(2),$(FEATURES_SEEDS)) --feature-list $(RAMPION)/$(1)/model/lexical
$(foreach pair,$(PAIRS),$(foreach method,pro rampion,$(eval $(call RUN,$(pair),$(method),$(method)-lexical,$(call LEXICAL_OF,$(pair),$(method)),$(RAMPION)/$(pair)/model/lexical))))
RAMPION_TABLE2 := $(foreach pair,$(PAIRS),$(foreach method,pro rampion,$(RAMPION)/$(pair)/$(method)-lexical))

# All losses of section 3 on the same lists, those of the default weights.
LOSS := $(RAMPION)/$(FIRST)/losses
$(LOSS)/untuned.weights: $(RAMPION)/$(FIRST)/rampion/weights
	mkdir -p $(@D)
	cp $(<D)/initial $@

$(LOSS)/dev.kbest: $(LOSS)/untuned.weights
	decode $(RAMPION)/$(FIRST)/text/dev.$(FIRST) $(call MODEL_OF,$(FIRST)) --weights $< -k $(LIST) --jobs $(JOBS) | \
		score-bleu - $(call REFS_OF,$(FIRST),dev) --jobs $(JOBS) -o $@

$(LOSSES:%=$(LOSS)/%.weights): $(LOSS)/%.weights: $(LOSS)/dev.kbest
	optimize $< --weights $(@D)/untuned.weights --loss $* -o $@

define DECODED
$(LOSS)/%.$(1).out: $(LOSS)/%.weights
	decode $(RAMPION)/$(FIRST)/text/$(1).$(FIRST) $$(call MODEL_OF,$(FIRST)) --weights $$< --text --jobs $(JOBS) -o $$@
endef
$(foreach set,$(RAMPION_TESTS),$(eval $(call DECODED,$(set))))

rampion-table1: $(TABLE1:%=%/weights)
	python -m experiments.rampion table1 $(TABLE1) --output $(RAMPION)/table1
rampion-figure3: $(FIGURE3:%=%/weights)
	python -m experiments.rampion figure3 $(FIGURE3) --output $(RAMPION)/figure3
rampion-table2: $(RAMPION_TABLE2:%=%/weights)
	python -m experiments.rampion table2 $(RAMPION_TABLE2) --output $(RAMPION)/table2
rampion-losses: $(foreach set,$(RAMPION_TESTS),$(LOSS)/untuned.$(set).out $(LOSSES:%=$(LOSS)/%.$(set).out))
	($(foreach set,$(RAMPION_TESTS),echo "$(set)" && compare $(foreach system,untuned $(LOSSES),$(system)=$(LOSS)/$(system).$(set).out) \
		$(call REFS_OF,$(FIRST),$(set)) --format markdown && echo &&) true) > $(RAMPION)/losses.md
	cat $(RAMPION)/losses.md
.PHONY: rampion-table1 rampion-figure3 rampion-table2 rampion-losses
