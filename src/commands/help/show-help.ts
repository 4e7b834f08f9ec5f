import {ownEntry} from '../../domain/objects.ts';
import {cleanText} from '../../text/cells/clean.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes, UsageError} from '../cli/errors.ts';
import {commandList, findCommand, helpText, inGroup} from '../cli/help.ts';
import {cliStrings} from '../cli/strings.ts';
import {type Topic, topics} from '../cli/topics.ts';

/** Longer lines are hard to read. */
const maxColumns = 100;
const pipedColumns = 80;

/** Prints the help of the program, of a topic, of a group of commands or of one command. */
export async function showHelp({args, output}: CommandContext): Promise<ExitCode> {
	const [word = ''] = args;
	if (args.length === 1 && ownEntry(topics, word) !== undefined) {
		const width = Math.min(output.columns ?? pipedColumns, maxColumns);
		output.line(cleanText(await topicText(word as Topic, width)));
		return exitCodes.done;
	}
	if (args.length > 0 && !findCommand(args) && inGroup(word).length === 0)
		throw new UsageError(cliStrings.usage.unknownTopic(word));
	output.text(cleanText(helpText(args).trimEnd(), {maxLength: 1024 * 1024, isDrawn: false}));
	return exitCodes.done;
}

const skillHead = `---
name: quarterdeck
description: Work with other agent sessions through the command quarterdeck. It lists them and their states, sends a message and waits for the answer, starts a session, and shows what agents ask for. Use it when the user wants another agent to do something, or asks what the others do.
---

`;

/** The topic, with the commands that have its name; a skill as a file. */
async function topicText(topic: Topic, width: number): Promise<string> {
	const {topicRows, topicTexts} = await import('./topic-rows.ts');
	if (topic === 'agent-skill') return `${skillHead}${topicTexts[topic].trimEnd()}`;
	const rows = topicRows(topicTexts[topic], width).join('\n');
	const own = inGroup(topic);
	return own.length === 0 ? rows : `${rows}\n\nCOMMANDS\n\n${commandList(own).trimEnd()}`;
}
