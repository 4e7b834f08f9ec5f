/** A computer of the sample. Steps of `failed` and `running` end there. */
export type SampleComputer = {
	readonly name: string;
	readonly user: string;
	readonly hostname: string;
	readonly repos: readonly string[];
	/** Days since it was created. */
	readonly age: number;
	/** The output of its install, which failed. */
	readonly failure?: string;
	readonly isProvisioning?: true;
};

export const computers: readonly SampleComputer[] = [
	{name: 'build-box', user: 'dev', hostname: 'build-box.internal', repos: ['orders', 'payments'], age: 61},
	{name: 'web-dev', user: 'dev', hostname: 'web-dev.internal', repos: ['storefront', 'docs'], age: 48},
	{name: 'gpu-lab', user: 'ml', hostname: 'gpu-lab.internal', repos: ['ranking'], age: 33},
	{name: 'mac-mini', user: 'build', hostname: 'mac-mini.local', repos: ['mobile'], age: 20},
	{
		name: 'ops-1',
		user: 'ops',
		hostname: 'ops-1.internal',
		repos: ['infra', 'ingest'],
		age: 9,
		failure: `   Compiling openssl-sys v0.9.109
error: failed to run custom build command for \`openssl-sys v0.9.109\`

  Could not find directory of OpenSSL installation, and this \`-sys\` crate cannot
  proceed without this knowledge. If OpenSSL is installed and this crate had
  trouble finding it, you can set the \`OPENSSL_DIR\` environment variable.

  pkg-config exited with status code 1
  Package openssl was not found in the pkg-config search path.

warning: build failed, waiting for other jobs to finish...
[cargo ended with exit code 101]`,
	},
	{
		name: 'data-eu',
		user: 'data',
		hostname: 'data-eu.internal',
		repos: ['warehouse'],
		age: 0,
		isProvisioning: true,
	},
];

/** What an install prints while one looks. */
export const installOutput = [
	'Using CPython 3.13.1',
	'Creating virtual environment at: .venv',
	'Resolved 148 packages in 0.42s',
	'Downloading pyarrow (40.1MiB)',
	'Downloading duckdb (19.3MiB)',
	'Downloading polars (36.7MiB)',
	' Downloaded duckdb',
	' Downloaded polars',
	' Downloaded pyarrow',
	'Prepared 148 packages in 38.2s',
	'Installed 148 packages in 1.1s',
];
