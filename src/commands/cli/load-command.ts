import type {CommandRun} from './context.ts';

/** Imports the code of one command only. `path` comes from the command table. */
export async function loadCommand(path: string): Promise<CommandRun> {
	const [group = '', verb = ''] = path.split(' ');
	const run = (await groups[group]?.())?.[verb];
	if (!run) throw new Error(`the command ${path} has no code`);
	return run;
}

const groups: Readonly<Record<string, () => Promise<Readonly<Record<string, CommandRun>>>>> = {
	computers: async () => (await import('../computers/computers.ts')).computers,
	sessions: async () => (await import('../sessions.ts')).sessions,
	messages: async () => ({'': (await import('../messages/messages.ts')).messages}),
	search: async () => ({'': (await import('../messages/search.ts')).search}),
	send: async () => ({'': (await import('../send/send.ts')).send}),
	outbox: async () => (await import('../send/outbox.ts')).outbox,
	events: async () => ({'': (await import('../hooks/events.ts')).events}),
	hooks: async () => (await import('../hooks/hooks.ts')).hooks,
	usage: async () => (await import('../organization/usage.ts')).usage,
	readiness: async () => ({'': (await import('../organization/readiness.ts')).readiness}),
	controls: async () => ({'': (await import('../organization/controls.ts')).controls}),
	users: async () => ({'': (await import('../organization/users.ts')).users}),
	accounts: async () => (await import('../accounts.ts')).accounts,
	serve: async () => ({'': (await import('../serve.ts')).serve}),
	storage: async () => (await import('../storage.ts')).storage,
	keys: async () => ({'': (await import('../keys.ts')).keys}),
	doctor: async () => ({'': (await import('../doctor/doctor.ts')).doctor}),
	completion: async () => ({'': (await import('./completion.ts')).completion}),
	help: async () => ({'': (await import('./help.ts')).showHelp}),
	'reset-terminal': async () => ({'': (await import('../reset-terminal.ts')).resetTerminal}),
};
