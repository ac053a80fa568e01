# The text, by language: TEXTS/LANGUAGE has train.LANGUAGE, train.en, links, and dev and every test set
# with their references.
ifeq ($(DATA),)
PAIRS ?= $(if $(FAST),ar es,ar es de fr)
SRC ?= $(firstword $(PAIRS))
TRG := en
DEV := dev
TESTS := old new
ENGLISH := en.web en.kjv en.asv en.bbe
NAME := bible
else
SRC ?= de
TRG ?= en
DEV ?= val
TESTS ?= test_2016_flickr test_2017_flickr test_2018_flickr
ALIGN ?= train.$(SRC)-$(TRG).align
PAIRS := $(SRC)
ENGLISH := $(TRG)
NAME := text-$(shell printf '%s' '$(DATA)' | cksum | cut -d' ' -f1)
endif
ifneq ($(FAST),)
TRAIN_LINES ?= 2000
HELD_OUT_LINES ?= 60
endif
TRAIN_LINES ?= -0
HELD_OUT_LINES ?= -0
TEXTS := $(WORK)/$(NAME)$(SAMPLE)
# Files of a language: the references of a set, and source with references, as `tune --test` has them.
REFS_OF = $(ENGLISH:%=$(TEXTS)/$(1)/$(2).%)
SET_OF = $(TEXTS)/$(1)/$(2).$(1) $(call REFS_OF,$(1),$(2))

$(PAIRS:%=$(TEXTS)/%/text.how): HOW = $(DATA) $(DEV) $(TESTS) $(TRAIN_LINES) $(HELD_OUT_LINES)
$(PAIRS:%=$(TEXTS)/%/text.how): FORCE
	$(REMEMBERED)

$(TEXTS)/%/done: $(TEXTS)/%/text.how | $(SET_UP)
	rm -rf $(@D)/whole && mkdir -p $(@D)/whole
ifeq ($(DATA),)
	python -m campanula.pipelines.demo.bible --language $* --testaments --jobs $(JOBS) \
		$(if $(FAST),--train-verses $(TRAIN_LINES)) --output $(@D)/whole
else
	cp $(DATA)/train.$(SRC) $(DATA)/train.$(TRG) $(@D)/whole
	$(if $(wildcard $(DATA)/$(ALIGN)),cp $(DATA)/$(ALIGN) $(@D)/whole/train.links)
	cp $(foreach set,$(DEV) $(TESTS),$(DATA)/$(set).$(SRC) $(DATA)/$(set).$(TRG)) $(@D)/whole
endif
	for file in $(@D)/whole/*; do \
		case $${file##*/} in train.*) lines=$(TRAIN_LINES);; *) lines=$(HELD_OUT_LINES);; esac; \
		head -n $$lines $$file > $(@D)/$${file##*/} || exit; \
	done
	rm -r $(@D)/whole
	touch $@

# The links that the text brings, or ours.
$(TEXTS)/%/links: $(TEXTS)/%/done
	if test -e $(@D)/train.links; then cp $(@D)/train.links $@; \
		else align-words $(@D)/train.$* $(@D)/train.$(TRG) --jobs $(JOBS) -o $@; fi
