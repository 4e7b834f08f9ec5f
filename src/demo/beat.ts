import type {NewRequest, ToolInput} from '../local/agents/agent-session.ts';

type ToolCall = {
	readonly tool: string;
	readonly input: ToolInput;
	readonly result: string;
	/** How long it takes while one looks, s. */
	readonly seconds: number;
	readonly isError?: true;
};

/** What an agent of the sample asks, and what it does with each answer. */
type Ask = {
	readonly ask: Omit<NewRequest, 'id'>;
	readonly allowed: readonly Beat[];
	readonly denied: readonly Beat[];
};

/** One thing that an agent does in a turn. A text is what it writes. */
export type Beat =
	| string
	| {readonly thought: string}
	| ToolCall
	| Ask
	/** The turn fails with this message. */
	| {readonly failure: string};

/** A message of the user and what the agent does then. */
export type Turn = readonly [asked: string, ...beats: readonly Beat[]];

/** A session as the sample has it. Its folder is that of its repository. */
export type SampleSession = {
	readonly title: string;
	readonly repo: string;
	readonly agent?: 'claude' | 'codex' | 'gemini';
	readonly mode?: 'accept-edits' | 'plan';
	readonly tags?: readonly string[];
	/** Minutes since its turn. */
	readonly ago: number;
	readonly turn?: Turn;
	/** Runs from the start of the demo on. */
	readonly now?: Turn;
	readonly isUnread?: true;
	readonly isPinned?: true;
	readonly isArchived?: true;
	/** Files that it has changed on a branch of its own, as they are now. */
	readonly branch?: {readonly name: string; readonly files: Readonly<Record<string, string>>};
};

export const bash = (command: string, result: string, seconds = 4): ToolCall => ({
	tool: 'Bash',
	input: {command},
	result,
	seconds,
});

export const failing = (command: string, result: string, seconds = 4): ToolCall => ({
	...bash(command, result, seconds),
	isError: true,
});

export const read = (file: string, result: string): ToolCall => ({
	tool: 'Read',
	input: {file_path: file},
	result,
	seconds: 2,
});

export const grep = (pattern: string, result: string): ToolCall => ({
	tool: 'Grep',
	input: {pattern},
	result,
	seconds: 2,
});

export const edit = (file: string, before: string, after: string): ToolCall => ({
	tool: 'Edit',
	input: {file_path: file, old_string: before, new_string: after},
	result: `The file ${file} has been updated.`,
	seconds: 3,
});
