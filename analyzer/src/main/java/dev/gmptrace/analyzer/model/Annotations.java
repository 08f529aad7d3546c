package dev.gmptrace.analyzer.model;

import java.util.HashMap;
import java.util.Map;

/** What the program itself put into the trace: tasks, regions and log messages. */
public final class Annotations {
  /** No end, no beginning: outside of the trace. */
  public static final long OUTSIDE = -1;

  private final LongIntMap taskById = new LongIntMap();
  final LongColumn taskId = new LongColumn();
  final LongColumn taskParent = new LongColumn();
  final IntColumn taskName = new IntColumn();
  final LongColumn taskStart = new LongColumn();
  final LongColumn taskEnd = new LongColumn();
  final IntColumn taskG = new IntColumn();
  final IntColumn taskStack = new IntColumn();

  private final Map<Integer, Integer> innermost = new HashMap<>();
  private final IntColumn outer = new IntColumn();
  final LongColumn regionTask = new LongColumn();
  final IntColumn regionName = new IntColumn();
  final IntColumn regionG = new IntColumn();
  final LongColumn regionStart = new LongColumn();
  final LongColumn regionEnd = new LongColumn();
  final IntColumn regionStack = new IntColumn();

  final LongColumn logTime = new LongColumn();
  final LongColumn logTask = new LongColumn();
  final IntColumn logG = new IntColumn();
  final IntColumn logCategory = new IntColumn();
  final IntColumn logMessage = new IntColumn();

  void taskBegin(long at, long id, long parent, int name, int g, int stack) {
    int known = taskById.get(id);
    if (known >= 0) {
      return;
    }
    addTask(id, parent, name, at, g, stack);
  }

  void taskEnd(long at, long id, long parent, int name, int g) {
    int i = taskById.get(id);
    if (i < 0) {
      i = addTask(id, parent, name, OUTSIDE, g, 0);
    }
    taskEnd.set(i, at);
  }

  private int addTask(long id, long parent, int name, long start, int g, int stack) {
    int i = taskId.size();
    taskById.put(id, i);
    taskId.add(id);
    taskParent.add(parent);
    taskName.add(name);
    taskStart.add(start);
    taskEnd.add(OUTSIDE);
    taskG.add(g);
    taskStack.add(stack);
    return i;
  }

  void regionBegin(long at, long task, int name, int g, int stack) {
    int i = addRegion(at, task, name, g, stack);
    outer.set(i, innermost.getOrDefault(g, -1));
    innermost.put(g, i);
  }

  void regionEnd(long at, long task, int name, int g) {
    int i = innermost.getOrDefault(g, -1);
    if (i < 0 || regionName.get(i) != name || regionTask.get(i) != task) {
      i = addRegion(OUTSIDE, task, name, g, 0);
    } else {
      innermost.put(g, outer.get(i));
    }
    regionEnd.set(i, at);
  }

  private int addRegion(long start, long task, int name, int g, int stack) {
    regionTask.add(task);
    regionName.add(name);
    regionG.add(g);
    regionStart.add(start);
    regionEnd.add(OUTSIDE);
    regionStack.add(stack);
    outer.add(-1);
    return regionTask.size() - 1;
  }

  void log(long at, long task, int g, int category, int message) {
    logTime.add(at);
    logTask.add(task);
    logG.add(g);
    logCategory.add(category);
    logMessage.add(message);
  }

  /** Number of tasks. */
  public int tasks() {
    return taskId.size();
  }

  /** The index of a task id, or -1. */
  public int findTask(long id) {
    return taskById.get(id);
  }

  /** A task's id. */
  public long taskId(int i) {
    return taskId.get(i);
  }

  /** The id of a task's parent; 0 or less when it has none. */
  public long taskParent(int i) {
    return taskParent.get(i);
  }

  /** String id of a task's name. */
  public int taskName(int i) {
    return taskName.get(i);
  }

  /** When a task began, or {@link #OUTSIDE}. */
  public long taskStart(int i) {
    return taskStart.get(i);
  }

  /** When a task ended, or {@link #OUTSIDE}. */
  public long taskEnd(int i) {
    return taskEnd.get(i);
  }

  /** The goroutine (dense index) that began a task, or -1. */
  public int taskG(int i) {
    return taskG.get(i);
  }

  /** Stack id of where a task was begun. */
  public int taskStack(int i) {
    return taskStack.get(i);
  }

  /** Number of regions. */
  public int regions() {
    return regionTask.size();
  }

  /** The id of a region's task; 0 is the background task. */
  public long regionTask(int i) {
    return regionTask.get(i);
  }

  /** String id of a region's name. */
  public int regionName(int i) {
    return regionName.get(i);
  }

  /** The goroutine (dense index) a region is on. */
  public int regionG(int i) {
    return regionG.get(i);
  }

  /** When a region began, or {@link #OUTSIDE}. */
  public long regionStart(int i) {
    return regionStart.get(i);
  }

  /** When a region ended, or {@link #OUTSIDE}. */
  public long regionEnd(int i) {
    return regionEnd.get(i);
  }

  /** Stack id of where a region was begun. */
  public int regionStack(int i) {
    return regionStack.get(i);
  }

  /** Number of log messages. */
  public int logs() {
    return logTime.size();
  }

  /** When a message was logged. */
  public long logTime(int i) {
    return logTime.get(i);
  }

  /** The id of a message's task. */
  public long logTask(int i) {
    return logTask.get(i);
  }

  /** The goroutine (dense index) that logged a message. */
  public int logG(int i) {
    return logG.get(i);
  }

  /** String id of a message's category. */
  public int logCategory(int i) {
    return logCategory.get(i);
  }

  /** String id of a message. */
  public int logMessage(int i) {
    return logMessage.get(i);
  }
}
