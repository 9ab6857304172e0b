package io.millrace.connectors.bridge.tail;

import java.util.List;

/**
 * Lines of a file.
 *
 * @param lines whole lines without their ends
 * @param position behind the last of them
 * @param atEnd whether there was no further whole line
 * @param gap whether lines before these may have been lost
 * @param overlong lines that were longer than the bound and are left out
 */
public record TailRead(
    List<String> lines, TailPosition position, boolean atEnd, boolean gap, int overlong) {}
