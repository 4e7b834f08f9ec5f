/** What `help TOPIC` explains. The texts are in `src/commands/help/`, and so is what makes man pages of them. */
export const topics = {
	screen: 'views, messages, what needs you, notifications and the mouse',
	keys: 'the most used keys, and how to change them',
	agents: 'agents on this machine: requests, changes, worktrees',
	machines: 'agents on other machines: ssh, containers, lost connections',
	hooks: 'agents in other terminals: reports, answers, transcripts',
	accounts: 'services, keys, profiles, and what is kept apart',
	configuration: 'settings, notifications, variables, stored data, themes, how to remove it',
	scripting: 'the commands: output, sending, waiting',
	'agent-skill': 'a skill file that teaches an agent these commands',
	'exit-codes': 'what each exit code means',
} as const;

export type Topic = keyof typeof topics;

/** A topic without the marks of its generated parts. */
export function withoutComments(markdown: string): string {
	return markdown.replaceAll(/^<!--.*-->\n\n?/gm, '');
}
