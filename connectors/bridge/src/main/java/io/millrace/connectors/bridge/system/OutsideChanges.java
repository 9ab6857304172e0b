package io.millrace.connectors.bridge.system;

import java.util.List;

/**
 * What logs and accounting files have said since a cursor.
 *
 * @param records ends
 * @param moves other changes
 * @param cursor where to go on
 * @param atEnd whether all that was written when the question began has been read
 * @param gap whether lines were lost before these, as by a file that was cut short
 */
public record OutsideChanges(
    List<OutsideRecord> records,
    List<OutsideMove> moves,
    String cursor,
    boolean atEnd,
    boolean gap) {}
