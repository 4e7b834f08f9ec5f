import type {Attachment} from '../storage/messages.ts';

/** A user message for an agent to answer. */
export type Turn = {
	readonly text: string;
	readonly attachments: readonly Attachment[];
	readonly sessionId: string;
	/** From the session's settings. */
	readonly model?: string;
	/** Whether the session has no successful answer yet. */
	readonly isFirst: boolean;
};

/** The command that answers a turn, run in the session's cwd: its output is the answer. */
type AgentCommand = {readonly file: string; readonly args: readonly string[]; readonly stdin?: string};

/** A kind of agent. */
export type Agent = {
	readonly name: string;
	/** Name of the program, as usage rows report it. */
	readonly tool: string;
	/** It may use a model, whose token counts this service can't see. */
	readonly usesModel: boolean;
	command(turn: Turn): AgentCommand;
};
