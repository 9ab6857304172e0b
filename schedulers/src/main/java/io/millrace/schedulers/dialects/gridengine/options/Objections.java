package io.millrace.schedulers.dialects.gridengine.options;

/** What becomes of a text that this Millrace does not take and an earlier one took. */
@FunctionalInterface
public interface Objections {

  /** It is refused: the way of all texts that are given now. */
  Objections STRICT =
      refused -> {
        throw refused;
      };

  /** Throws the objection, or takes note of it: the text is obeyed as it was then. */
  void raise(Refused refused);
}
