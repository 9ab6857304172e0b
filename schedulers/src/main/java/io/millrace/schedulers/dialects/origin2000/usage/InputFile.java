package io.millrace.schedulers.dialects.origin2000.usage;

/**
 * A file as the site has it.
 *
 * @param text its content, empty when there is none
 * @param version another number for each time that it was written
 */
public record InputFile(String text, long version) {

  public static final InputFile NONE = new InputFile("", -1);
}
