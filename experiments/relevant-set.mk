# The online relevant set (Tillmann and Zhang), of the first language.
# Where sentences are decoded and scored: ENGINE='--engine dask --dask-workers 2' has the text that is trained on
# in files of PART lines, one a task; the results are the same.
ENGINE ?=
PART ?= 2000
# Sentences that are trained on, how often each stands in the text, iterations L, and passes R.
ifneq ($(FAST),)
CAPTIONS ?= 150
L ?= 4
R ?= 5
DENSE_L ?= 4
MERT_L ?= 3
BEAM ?= 20
STACK ?= 20
endif
CAPTIONS ?= 5000
FOLD ?= 1
L ?= 15
R ?= 40
DENSE_L ?= 30
MERT_L ?= 20
BEAM ?= 100
STACK ?= 50
FLAGS ?=

OWN := $(TEXTS)/$(SRC)
TEXT := $(TEXTS)/relevant-set-$(SRC)/$(CAPTIONS)$(if $(filter-out 1,$(FOLD)),x$(FOLD))
# A run's folder says what it was made with, so that another setting makes another.
MADE_WITH := $(if $(FLAGS),-$(shell printf '%s' '$(FLAGS)' | cksum | cut -d' ' -f1))
RUNS := $(TEXT)/runs-L$(L)-D$(DENSE_L)-R$(R)-B$(BEAM)-$(STACK)-seed$(SEED)$(MADE_WITH)
MODEL := $(TEXT)/model
LM := $(MODEL)/lm.arpa.gz

# The text that is trained on, and a model: blocks and distortion of the whole text (a sentence leaves its
# own out), a trigram model of the sentences that are not trained on.
FOLDED = for n in $$(seq $(FOLD)); do head -n $(CAPTIONS) $(OWN)/$(1); done
$(TEXT)/train.$(SRC): $(OWN)/links
	mkdir -p $(TEXT)
	$(call FOLDED,links) > $(TEXT)/train.align
	$(call FOLDED,train.$(TRG)) > $(TEXT)/train.$(TRG)
	$(call FOLDED,train.$(SRC)) > $@

$(TEXT)/parts.$(SRC): $(TEXT)/train.$(SRC)
	for text in align $(TRG) $(SRC); do \
		rm -rf $(TEXT)/unfinished && mkdir $(TEXT)/unfinished && \
		split -a 4 -d -l $(PART) $(TEXT)/train.$$text $(TEXT)/unfinished/part. && \
		rm -rf $(TEXT)/parts.$$text && mv $(TEXT)/unfinished $(TEXT)/parts.$$text || exit; \
	done

# The tests, joined to one for the intervals.
$(TEXT)/test.$(SRC): $(OWN)/links
	mkdir -p $(TEXT)
	$(foreach ref,$(ENGLISH),cat $(TESTS:%=$(OWN)/%.$(ref)) > $(TEXT)/test.$(ref) &&) true
	cat $(TESTS:%=$(OWN)/%.$(SRC)) > $@

# A file of the model: name, command (of which eval and the recipe each take a $).
define MODEL_FILE
$(MODEL)/$(1): $(OWN)/links
	mkdir -p $(MODEL)
	$(2)
endef
PARALLEL := $(OWN)/train.$(SRC) $(OWN)/train.$(TRG) $(OWN)/links
$(eval $(call MODEL_FILE,phrase-table.gz,extract-blocks $(PARALLEL) --phrase-table $$@))
$(eval $(call MODEL_FILE,distortion-table.gz,estimate-distortion $(PARALLEL) -o $$@))
$(eval $(call MODEL_FILE,lm.arpa.gz,tail -n +$$$$(($(CAPTIONS) + 1)) $(OWN)/train.$(TRG) | estimate-lm - --order 3 -o $$@))

MADE := $(addprefix $(MODEL)/,phrase-table.gz distortion-table.gz) $(addsuffix .$(SRC),$(TEXT)/train $(TEXT)/test) \
	$(if $(ENGINE),$(TEXT)/parts.$(SRC))

# A run's name says what it is: order-features[-lm], as swap-all-lm.
ORDER = $(patsubst mon,monotone,$(word 1,$(subst -, ,$(1))))
TEMPLATES = $(patsubst all,tillmann-zhang,$(patsubst phrase,tillmann-zhang-phrase,$(patsubst word,tillmann-zhang-word,$(word 2,$(subst -, ,$(1))))))
# Table V: binary features alone, or beside the language model with a constant 0.1.
WITHOUT := --dense-features none
WITH := --lm $(LM) --dense-features LM0 --weights $(TEXT)/lm.weights --freeze LM0
LANGUAGE = $(if $(findstring -lm,$(1)),$(WITH),$(WITHOUT))

TEST_REFS := $(ENGLISH:%=$(TEXT)/test.%)
DATA_FLAGS = --source $(OWN)/$(DEV).$(SRC) $(call REF_FLAGS_OF,$(SRC),$(DEV)) --test test $(TEXT)/test.$(SRC) $(TEST_REFS)
TRAIN := $(TEXT)/$(if $(ENGINE),parts,train)
ON_TEXT := --leave-one-out --iterations $(L)
FROM_TEXT := --train $(TRAIN).$(SRC) $(TRAIN).$(TRG) $(TRAIN).align $(ENGINE)
# The runs of Figures 2 to 6 have the test set's curve; others are tested at the end.
FIGURE2 := swap-all
FIGURE3 := swap-all-lm
FIGURE4 := costmargin-ag
FIGURE5 := perceptron-ag
FIGURE6 := mert-3-af
CURVES := $(foreach n,2 3 4 5 6,$(FIGURE$(n)))
COMMON = --phrase-table $(MODEL)/phrase-table.gz --beam $(BEAM) --stack $(STACK) --epochs $(R) --seed $(SEED) --also meteor \
	$(if $(filter $(CURVES),$(1)),,--test-at end) $(FLAGS)
ON_DEV = --distortion-table $(MODEL)/distortion-table.gz --lm $(LM) --reordering swap

$(TEXT)/lm.weights: $(TEXT)/train.$(SRC)
	echo "LM0 0.1" > $@

# A run: name, flags, prerequisites, flags that change no result.
RELEVANT_RUN = $(call RUN,$(RUNS)/$(1),relevant-set $(DATA_FLAGS) $(call COMMON,$(1)) $(2),$(MADE) $(3),--trim --jobs $$(JOBS) $(4))
TABLE5 := $(foreach order,mon swap,$(foreach features,phrase word all all-lm,$(order)-$(features)))
$(foreach run,$(TABLE5),$(eval $(call RELEVANT_RUN,$(run),$(ON_TEXT) --keep last --reordering $(call ORDER,$(run)) \
	--features $(call TEMPLATES,$(run)) $(call LANGUAGE,$(run)),$(TEXT)/lm.weights $(if $(findstring -lm,$(run)),$(LM)),$(FROM_TEXT))))

# Tables VI to VIII: dense features alone, trained on the development set from two seeds, n = 1.
A_TO_F := TranslationModel0_0,TranslationModel0_1,LMFirst0,LMRest0,OutboundDistortion0,InboundDistortion0
DENSE = --dense-features $(if $(findstring -af,$(1)),$(A_TO_F),tillmann-zhang)
BY = $(if $(findstring -wer,$(1)),--metric wer --also bleu)
SEEDED := $(foreach algorithm,costmargin perceptron,$(algorithm)-af $(algorithm)-ag $(algorithm)-ag-wer)
$(foreach run,$(SEEDED),$(eval $(call RELEVANT_RUN,$(run),$(ON_DEV) --start seeds --eta 1e-5 --iterations $(DENSE_L) --keep best \
	--algorithm $(word 1,$(subst -, ,$(run))) $(call DENSE,$(run)) $(call BY,$(run)),$(LM))))

$(TEXT)/flat-%.weights: $(TEXT)/train.$(SRC)
	printf '%s 0.1\n' $(subst $(comma), ,$(A_TO_F)) > $@
	$(if $(filter ag,$*),echo "WordPenalty0 0.1" >> $@)

# A first list of one hypothesis leaves line search nothing to choose by, so n is 3 and 100. The decoder and its
# settings are those of the others.
MERTS := mert-3-af mert-100-af mert-3-ag mert-100-ag
MERT_RUN = $(call RUN,$(RUNS)/$(1),mert $(DATA_FLAGS) --phrase-table $(MODEL)/phrase-table.gz $(ON_DEV) --seed $(SEED) \
	$(call DENSE,$(1)) --weights $(TEXT)/flat-$(word 3,$(subst -, ,$(1))).weights $(if $(filter $(CURVES),$(1)),,--test-at ends) \
	-k $(word 2,$(subst -, ,$(1))) --trust 0 --iterations $(MERT_L) --beam $(BEAM) --stack $(STACK),$(MADE) $(LM) \
	$(TEXT)/flat-$(word 3,$(subst -, ,$(1))).weights,--trim --jobs $$(JOBS))
$(foreach run,$(MERTS),$(eval $(call MERT_RUN,$(run))))

# Table IX: two stages.
$(foreach run,binary-then-dense dense-then-binary,$(eval $(call RELEVANT_RUN,$(run),$(ON_TEXT) $(ON_DEV) \
	--features tillmann-zhang --dense-features tillmann-zhang --then $(word 3,$(subst -, ,$(run))) --keep best,$(LM),$(FROM_TEXT))))

TABLE6 := mert-3-af mert-100-af costmargin-af perceptron-af
TABLE7 := mert-3-ag mert-100-ag costmargin-ag perceptron-ag
TABLE8 := costmargin-ag costmargin-ag-wer perceptron-ag perceptron-ag-wer
TABLE9 := costmargin-ag dense-then-binary binary-then-dense
$(foreach n,5 6 7 8 9,$(eval $(call TABLE,relevant-set-table$(n),$(TABLE$(n):%=$(RUNS)/%),$(TEST_REFS))))
$(foreach n,2 3 4 5 6,$(eval $(call TABLE,relevant-set-figure$(n),$(RUNS)/$(FIGURE$(n)))))

# Beyond the paper's tables, and not of `all`.
PAPERS := $(ALL)
# What leave-one-out, the step and the update do to a small text (500 captions, L = 30): its curves swing at first.
STEPS := table2-1e-4 table2-1e-5 table2-1e-3 eq7-1e-4 eq7-1e-3 table2-1e-4-plain
ETA = $(word 2,$(subst -, ,$(1)))-$(word 3,$(subst -, ,$(1)))
$(foreach run,$(STEPS),$(eval $(call RELEVANT_RUN,$(run),$(if $(findstring plain,$(run)),--iterations $(L),$(ON_TEXT)) --keep last \
	--features tillmann-zhang --dense-features none --update $(word 1,$(subst -, ,$(run))) --eta $(call ETA,$(run)),,$(FROM_TEXT))))
$(eval $(call TABLE,relevant-set-steps,$(STEPS:%=$(RUNS)/%)))

# The whole text once, as in the paper's Figure 2, and two iterations on as many sentences as the paper has: the
# text eight times over, whose features are the same.
.PHONY: relevant-set-corpus relevant-set-eightfold
relevant-set-corpus:
	$(MAKE) CAPTIONS=-0 L=30 relevant-set-figure2
relevant-set-eightfold:
	$(MAKE) CAPTIONS=-0 FOLD=8 L=3 relevant-set-figure2
ALL := $(PAPERS)
