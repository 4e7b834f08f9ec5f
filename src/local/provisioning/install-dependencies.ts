import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {BackgroundContext} from '../context.ts';
import {createOutputTail} from '../processes/output-tail.ts';
import {createOutputWriter} from '../processes/output-writer.ts';
import {type Command, endNote} from '../processes/process-group.ts';
import type {StoredComputer} from '../storage/computers.ts';
import {StepFailed} from './provisioning.ts';
import type {StepRun} from './step-work.ts';

/**
 * Installs the dependencies of every repository of a computer. Streams the tools' output into the step's own
 * session, one message per command. Throws `StepFailed` with the end of each failed command's output.
 */
export async function installDependencies(run: StepRun): Promise<void> {
	const {context, computer, steps} = run;
	const sessionId = run.step.installSessionId ?? '';
	const failures: string[] = [];
	// If a user's turn is running in this session, the install proceeds without the claim.
	const {sessions} = context.storage;
	const isClaimed = sessions.get(sessionId)?.isRunning === false;
	if (isClaimed) sessions.update(sessionId, {isRunning: true});
	try {
		for (const {repo} of steps) {
			if (!repo || context.closing.aborted) continue;
			const folder = join(computer.workspace, repo.folder);
			const failure = await installRepository(run, sessionId, repo.folder, folder);
			if (failure !== undefined) failures.push(failure);
		}
	} finally {
		if (isClaimed) await context.save(() => sessions.release(sessionId));
	}
	if (failures.length > 0) throw new StepFailed(failures.join('\n\n'));
}

export function createInstallSession({storage}: BackgroundContext, computer: StoredComputer): string {
	const id = randomUUID();
	storage.sessions.add({
		id,
		computerId: computer.id,
		cwd: computer.workspace,
		title: `Install on ${computer.name}`,
		settings: {},
		isInstall: true,
	});
	return id;
}

async function installRepository(
	run: StepRun,
	sessionId: string,
	name: string,
	cwd: string,
): Promise<string | undefined> {
	const commands = planInstall(cwd);
	if (commands.length === 0) {
		const head = `${name}: nothing to install (no lock file)\n`;
		const output = createOutputWriter(run.context, {sessionId, role: 'tool', isOutput: true, head});
		await output.end(undefined, false);
	}
	for (const command of commands) {
		const failure = await runCommand(run, sessionId, name, cwd, command);
		if (failure !== undefined) return failure;
	}
	return undefined;
}

async function runCommand(
	{context}: StepRun,
	sessionId: string,
	name: string,
	cwd: string,
	{file, args}: InstallCommand,
): Promise<string | undefined> {
	const {groups, closing} = context;
	const line = [file, ...args].join(' ');
	const output = createOutputWriter(context, {
		sessionId,
		role: 'tool',
		isOutput: true,
		head: `${name} $ ${line}\n`,
	});
	const tail = createOutputTail();
	const ended = await groups.run(
		{file: file.includes('/') ? join(cwd, file) : file, args, cwd},
		(chunk, source) => {
			tail.add(chunk, source);
			output.write(chunk, source);
		},
		{signal: closing},
	);
	const note = closing.aborted ? '[interrupted: the service was stopped]' : endNote(file, ended);
	await output.end(note, note !== undefined);
	return note === undefined ? undefined : `${name}: ${line}\n${`${tail.text()}\n${note}`.trim()}`;
}

/** One dependency-install command, run in the repository's folder. */
type InstallCommand = Pick<Command, 'file' | 'args'>;

/** The commands for each ecosystem, by lock file: only the first rule of an ecosystem that applies is used. */
const rules: readonly {
	readonly ecosystem: string;
	/** The rule applies if any of these files exists. */
	readonly files: readonly string[];
	readonly commands: readonly string[];
}[] = [
	{
		ecosystem: 'node',
		files: ['package-lock.json', 'npm-shrinkwrap.json'],
		commands: ['npm ci --no-audit --no-fund'],
	},
	{ecosystem: 'node', files: ['pnpm-lock.yaml'], commands: ['pnpm install --frozen-lockfile']},
	{ecosystem: 'node', files: ['yarn.lock'], commands: ['yarn install --frozen-lockfile']},
	{ecosystem: 'node', files: ['bun.lock', 'bun.lockb'], commands: ['bun install --frozen-lockfile']},
	{ecosystem: 'python', files: ['uv.lock'], commands: ['uv sync --frozen']},
	{ecosystem: 'python', files: ['poetry.lock'], commands: ['poetry install --no-interaction']},
	{ecosystem: 'python', files: ['Pipfile.lock'], commands: ['pipenv sync']},
	{
		ecosystem: 'python',
		files: ['requirements.txt'],
		commands: ['python3 -m venv .venv', '.venv/bin/python -m pip install --no-input -r requirements.txt'],
	},
	{ecosystem: 'rust', files: ['Cargo.lock'], commands: ['cargo fetch --locked']},
	{ecosystem: 'go', files: ['go.mod'], commands: ['go mod download']},
	{ecosystem: 'ruby', files: ['Gemfile.lock'], commands: ['bundle install']},
	{ecosystem: 'php', files: ['composer.lock'], commands: ['composer install --no-interaction']},
];

/** Commands that install the dependencies of the repository in `folder`, chosen by its lock files. */
export function planInstall(folder: string): InstallCommand[] {
	const has = (file: string) => existsSync(join(folder, file));
	const matching = rules.filter(({files}) => files.some(has));
	const used = matching.filter(
		(rule, index) => matching.findIndex(({ecosystem}) => ecosystem === rule.ecosystem) === index,
	);
	return used.flatMap(({commands}) =>
		commands.map(command => {
			const [file = '', ...args] = command.split(' ');
			// Yarn 2 and later has another name for it.
			const isNewYarn = file === 'yarn' && has('.yarnrc.yml');
			return {file, args: isNewYarn ? ['install', '--immutable'] : args};
		}),
	);
}
