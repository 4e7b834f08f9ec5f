import type {CommandRun} from './context.ts';

/** Imports the code of one command only. `path` comes from the command table. */
export async function loadCommand(path: string): Promise<CommandRun> {
	const [group = '', verb = ''] = path.split(' ');
	const run = (await groups[group]?.())?.[verb];
	if (!run) throw new Error(`the command ${path} has no code`);
	return run;
}

const groups: Readonly<Record<string, () => Promise<Readonly<Record<string, CommandRun>>>>> = {
	computers: async () => (await import('./computers.ts')).computers,
	sessions: async () => (await import('./sessions.ts')).sessions,
	messages: async () => ({'': (await import('./messages.ts')).messages}),
	search: async () => ({'': (await import('./search.ts')).search}),
	send: async () => ({'': (await import('./send.ts')).send}),
	outbox: async () => (await import('./outbox.ts')).outbox,
	events: async () => ({'': (await import('./events.ts')).events}),
	hooks: async () => (await import('./hooks.ts')).hooks,
	usage: async () => (await import('./usage.ts')).usage,
	readiness: async () => ({'': (await import('./readiness.ts')).readiness}),
	controls: async () => ({'': (await import('./controls.ts')).controls}),
	users: async () => ({'': (await import('./users.ts')).users}),
	accounts: async () => (await import('./accounts.ts')).accounts,
	serve: async () => ({'': (await import('./serve.ts')).serve}),
	storage: async () => (await import('./storage.ts')).storage,
	keys: async () => ({'': (await import('./keys.ts')).keys}),
	doctor: async () => ({'': (await import('./doctor.ts')).doctor}),
	completion: async () => ({'': (await import('./completion.ts')).completion}),
	help: async () => ({'': (await import('./show-help.ts')).showHelp}),
	'reset-terminal': async () => ({'': (await import('./reset-terminal.ts')).resetTerminal}),
};
