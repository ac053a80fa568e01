"""Tests of stages/selecting."""
