"""Operations that touch several files of truth, and what a crash in one of them leaves."""
