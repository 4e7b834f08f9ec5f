import type {AgentRequest} from '../agents/agent-session.ts';
import type {RequestState} from '../storage/messages.ts';

const outcomes: Readonly<Record<Exclude<RequestState, 'open'>, string>> = {
	allowed: 'Allowed once.',
	always: 'Allowed:',
	denied: 'Denied.',
	answered: 'Answered.',
	gone: 'Not answered: the agent no longer waits for it.',
};

type ShownFields = Pick<AgentRequest, 'kind' | 'tool' | 'text' | 'warnings' | 'isPlan'>;

/** A request as a message: markdown with its whole text, and its outcome. */
export function requestCard(
	{kind, tool, text, warnings = [], isPlan}: ShownFields,
	state: RequestState,
	details: readonly string[] = [],
): string {
	const permission = isPlan ? "**The agent's plan**" : `**Permission for ${tool || 'a tool'}**`;
	const title = kind === 'question' ? '**The agent asks**' : permission;
	const body = kind === 'question' || isPlan ? text : fenced(text);
	const question = kind === 'question' ? 'Your answer?' : 'Allow it?';
	const outcome =
		state === 'open' ? question : [outcomes[state], details.filter(Boolean).join('; ')].join(' ').trim();
	return [title, ...warnings.map(warning => fenced(warning)), body, outcome].join('\n\n');
}

/** A request in one line: its tool, and the command, file, first line of the plan, or first question. */
export function requestTitle({kind, tool, text, isPlan}: ShownFields): string {
	const lines = text.split('\n');
	const what = /^--- /.test(text)
		? lines[1]?.replace(/^\+\+\+ /, '')
		: lines.find(line => line.trim() !== '');
	const words = isPlan ? what?.replace(/^#+ +/, '') : what;
	return [kind === 'question' ? '' : isPlan ? 'plan' : tool, words ?? '']
		.filter(Boolean)
		.join(': ')
		.slice(0, 400);
}

/** The text in a fence that nothing inside can close. */
function fenced(text: string): string {
	const longestFence = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
	const fence = '`'.repeat(longestFence + 1);
	const language = /^--- .*\n\+\+\+ /.test(text) ? 'diff' : '';
	return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** A card whose request can no longer be answered, from its stored text. */
export function closedCard(card: string): string {
	return card.replace(/(Allow it\?|Your answer\?)$/, outcomes.gone);
}
