package dev.gmptrace.analyzer.index;

import java.util.List;

/** A page of a list of lanes, and how long the whole list is. */
public record LanePage(int total, List<LaneInfo> lanes) {}
