import type {Attachment} from '../storage/messages.ts';

/** A user message that an agent is to answer. */
export type Turn = {
	readonly text: string;
	readonly attachments: readonly Attachment[];
	readonly sessionId: string;
	/** From the session's settings. */
	readonly model?: string;
	/** The session has no good answer yet. */
	readonly isFirst: boolean;
};

/** What runs for a turn, in the session's cwd: its output is the answer. */
type AgentCommand = {readonly file: string; readonly args: readonly string[]; readonly stdin?: string};

/** A kind of agent. */
export type Agent = {
	readonly name: string;
	/** How usage names it: the program that is run. */
	readonly tool: string;
	/** It may use a model, and how many tokens it took is not known here. */
	readonly usesModel: boolean;
	command(turn: Turn): AgentCommand;
};
