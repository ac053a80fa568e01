# RAMPION (Gimpel & Smith 2012): MERT, PRO and RAMPION in several languages.
LOSSES ?= cost ramp1 ramp2 ramp3 soft-ramp1 soft-ramp2 soft-ramp3 bayes-risk perceptron-kbest perceptron-gamma \
	hinge-kbest log-kbest pairwise expected-bleu
ifneq ($(FAST),)
SEEDS ?= 2
TUNE_FLAGS ?= --iterations 2 -k 50
LIST ?= 50
endif
SEEDS ?= 3
FEATURES_SEEDS ?= 1
TUNE_FLAGS ?=
LIST ?= 500
RAMPION := $(TEXTS)/rampion
METHODS := mert pro rampion
FIRST := $(SRC)

$(RAMPION)/%/model/lm.arpa.gz: $(TEXTS)/%/links
	mkdir -p $(@D)
	extract-blocks $(<D)/train.$* $(<D)/train.$(TRG) $< $(foreach set,$(DEV) $(TESTS),--filter $(<D)/$(set).$*) \
		--phrase-table $(@D)/phrase-table.gz --reordering-table $(@D)/reordering-table.gz
	estimate-lm $(<D)/train.$(TRG) --order 5 -o $@

$(RAMPION)/%/model/lexical: $(TEXTS)/%/links
	mkdir -p $(@D)
	extract-features $(<D)/train.$* $(<D)/train.$(TRG) $< -o $@

MODEL_OF = --phrase-table $(RAMPION)/$(1)/model/phrase-table.gz --reordering-table $(RAMPION)/$(1)/model/reordering-table.gz \
	--lm $(RAMPION)/$(1)/model/lm.arpa.gz
REF_FLAGS_OF = $(foreach ref,$(call REFS_OF,$(1),$(2)),--ref $(ref))
DEV_OF = --source $(TEXTS)/$(1)/$(DEV).$(1) $(call REF_FLAGS_OF,$(1),$(DEV))
TESTS_OF = $(foreach set,$(TESTS),--test $(set) $(call SET_OF,$(1),$(set)))
TUNE_OF = $(call DEV_OF,$(1)) $(call TESTS_OF,$(1)) $(call MODEL_OF,$(1)) --test-at ends $(TUNE_FLAGS)
# RAMPION has no chance in it: one run.
REPLICATES_OF = $(if $(filter rampion,$(1)),,--replicates $(2))

# A run: language, method, folder, further flags, prerequisites.  PRO's lists of 30 iterations would be 20 GB a seed.
RAMPION_RUN = $(call RUN,$(RAMPION)/$(1)/$(3),$(2) $(call TUNE_OF,$(1)) $(4),$(RAMPION)/$(1)/model/lm.arpa.gz $(5),--trim --jobs $$(JOBS))
$(foreach pair,$(PAIRS),$(foreach method,$(METHODS),$(eval $(call RAMPION_RUN,$(pair),$(method),$(method),$(call REPLICATES_OF,$(method),$(SEEDS))))))
$(eval $(call TABLE,rampion-table1,$(foreach pair,$(PAIRS),$(METHODS:%=$(RAMPION)/$(pair)/%))))

# Two initial models besides Moses's default weights, drawn as footnote 13 says: RAMPION's runs leave them.
DRAWN = $(RAMPION)/$(FIRST)/rampion-from-$(1)
$(foreach n,1 2,$(eval $(call RAMPION_RUN,$(FIRST),rampion,rampion-from-$(n),--initial random --seed $(n))))
$(foreach n,1 2,$(foreach method,mert pro,$(eval $(call RAMPION_RUN,$(FIRST),$(method),$(method)-from-$(n),$(call REPLICATES_OF,$(method),$(SEEDS)) --weights $(call DRAWN,$(n))/initial,$(call DRAWN,$(n))/weights))))
$(eval $(call TABLE,rampion-figure3,$(foreach method,$(METHODS),$(RAMPION)/$(FIRST)/$(method) $(foreach n,1 2,$(RAMPION)/$(FIRST)/$(method)-from-$(n)))))

# Lexical and trigger features beside the dense ones (section 4.3).
LEXICAL_OF = $(call REPLICATES_OF,$(2),$(FEATURES_SEEDS)) --feature-list $(RAMPION)/$(1)/model/lexical
$(foreach pair,$(PAIRS),$(foreach method,pro rampion,$(eval $(call RAMPION_RUN,$(pair),$(method),$(method)-lexical,$(call LEXICAL_OF,$(pair),$(method)),$(RAMPION)/$(pair)/model/lexical))))
$(eval $(call TABLE,rampion-table2,$(foreach pair,$(PAIRS),$(foreach method,pro rampion,$(RAMPION)/$(pair)/$(method)-lexical))))

# All losses of section 3 on the same lists, those of the default weights; they rerank lists, too.
LOSS := $(RAMPION)/$(FIRST)/losses
$(LOSS)/untuned.weights: $(RAMPION)/$(FIRST)/rampion/weights
	mkdir -p $(@D)
	cp $(<D)/initial $@

$(LOSS)/lists.how: HOW = $(LIST)
$(LOSS)/lists.how: FORCE
	$(REMEMBERED)

$(LOSS)/%.kbest: $(LOSS)/untuned.weights $(LOSS)/lists.how
	decode $(TEXTS)/$(FIRST)/$*.$(FIRST) $(call MODEL_OF,$(FIRST)) --weights $< -k $(LIST) --jobs $(JOBS) -o $@

$(LOSS)/scored.kbest: $(LOSS)/$(DEV).kbest
	score-bleu $< $(call REF_FLAGS_OF,$(FIRST),$(DEV)) --jobs $(JOBS) -o $@

$(LOSSES:%=$(LOSS)/%.weights): $(LOSS)/%.weights: $(LOSS)/scored.kbest
	optimize $< --weights $(@D)/untuned.weights --loss $* --seed $(SEED) -o $@

define RERANKED
$(LOSS)/$(1)/%.out: $(LOSS)/%.weights $(LOSS)/$(1).kbest
	@mkdir -p $$(@D)
	rerank $(LOSS)/$(1).kbest --weights $$< -o $$@
endef
LOSS_SETS := $(DEV) $(TESTS)
$(foreach set,$(LOSS_SETS),$(eval $(call RERANKED,$(set))))

LOSS_OUTPUTS := $(foreach set,$(LOSS_SETS),$(patsubst %,$(LOSS)/$(set)/%.out,untuned $(LOSSES)))
LOSS_REFS := $(foreach set,$(LOSS_SETS),$(call REFS_OF,$(FIRST),$(set)))
$(eval $(call TABLE_OF,rampion-losses,$(LOSS_OUTPUTS),$(LOSS_OUTPUTS),$(LOSS_REFS)))
